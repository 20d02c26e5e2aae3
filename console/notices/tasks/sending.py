"""Sending notices: many channels at once, one message each. Rows are touched by the calling thread only."""

import threading

from django.utils.timezone import now

from console.kit.under_way import UnderWay
from console.notices import operations
from console.notices.queries.shapes import Outgoing
from console.notices.tasks.mail import send_mail
from console.notices.tasks.posts import send_post
from console.notices.vocabulary import ChannelKind

_one = threading.Lock()


def send_due() -> None:
    """Send every message that is due; one call at a time per process, which also takes what comes due meanwhile."""
    if not _one.acquire(blocking=False):
        return
    try:
        _send_due()
    finally:
        _one.release()


def _send_due() -> None:
    under_way = UnderWay(_send)
    while True:
        while not under_way.full() and (message := operations.take_one(at=now())) is not None:
            name = f"notice to channel {message.channel_id}"
            under_way.begin(message.attempt_id, message, name=name)
        if not len(under_way):
            return
        for message, fault in under_way.ended():
            operations.sent(
                message_id=message.message_id,
                attempt_id=message.attempt_id,
                channel_id=message.channel_id,
                fault=fault,
                at=now(),
            )


def _send(message: Outgoing) -> str:
    return send_mail(message) if message.kind == ChannelKind.EMAIL else send_post(message, at=now())
