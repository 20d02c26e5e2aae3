"""Many messages under way at once, each in a thread of its own, so that a receiver that does not answer holds up nobody.

Rows are touched by the calling thread only. A receiver that answers drop by drop is left alone after a while: its
thread ends when the receiver does, and holds nothing that anybody waits for.
"""

import logging
import threading
import time
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from django.utils.timezone import now

from console.notices import operations
from console.notices.queries.shapes import Outgoing
from console.notices.tasks.mail import send_mail
from console.notices.tasks.posts import send_post
from console.notices.vocabulary import ChannelKind

log = logging.getLogger(__name__)
AT_ONCE = 16
LOOK_S = 0.25
PATIENCE_S = 30.0  # shorter than the lease
_one = threading.Lock()


@dataclass(slots=True)
class UnderWay:
    """What is being sent, since when, and the answers as they come."""

    answers: "SimpleQueue[tuple[int, str]]" = field(default_factory=SimpleQueue)
    since: dict[int, tuple[Outgoing, float]] = field(default_factory=dict)

    def begin(self, message: Outgoing) -> None:
        """Send a message in a thread of its own."""
        self.since[message.attempt_id] = (message, time.monotonic())
        name = f"notice to channel {message.channel_id}"
        threading.Thread(target=self._run, args=(message,), name=name, daemon=True).start()

    def ended(self, within_s: float) -> list[tuple[Outgoing, str]]:
        """Give what has ended, waiting for the first a little; what takes too long has ended badly."""
        told: dict[int, str] = {}
        try:
            told.update([self.answers.get(timeout=within_s)])
            while True:
                told.update([self.answers.get_nowait()])
        except Empty:
            late = time.monotonic() - PATIENCE_S
            for attempt_id, (_message, began) in self.since.items():
                if began < late:
                    told.setdefault(attempt_id, f"No answer within {PATIENCE_S:.0f} s.")
        known = [attempt_id for attempt_id in told if attempt_id in self.since]
        return [(self.since.pop(attempt_id)[0], told[attempt_id]) for attempt_id in known]

    def _run(self, message: Outgoing) -> None:
        try:
            fault = _send(message)
        except Exception as exc:  # a fault of ours in one message: shown in the log of notices, and retried
            log.exception("a notice could not be written")
            fault = f"{type(exc).__name__}: {exc}"
        self.answers.put((message.attempt_id, fault))


def send_due() -> None:
    """Send every message that is due; one call at a time per process, which also takes what comes due meanwhile."""
    if not _one.acquire(blocking=False):
        return
    try:
        _send_due()
    finally:
        _one.release()


def _send_due() -> None:
    under_way = UnderWay()
    while True:
        while len(under_way.since) < AT_ONCE and (message := operations.take_one(at=now())) is not None:
            under_way.begin(message)
        if not under_way.since:
            return
        for message, fault in under_way.ended(LOOK_S):
            operations.sent(
                message_id=message.message_id,
                attempt_id=message.attempt_id,
                channel_id=message.channel_id,
                fault=fault,
                at=now(),
            )


def _send(message: Outgoing) -> str:
    return send_mail(message) if message.kind == ChannelKind.EMAIL else send_post(message, at=now())
