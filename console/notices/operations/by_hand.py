"""What people ask of the outbox: a test message, and another try of one that was given up."""

from datetime import datetime
from uuid import UUID, uuid4

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.refusal import Kind, Refused
from console.notices.domain import permissions
from console.notices.domain.words import Words
from console.notices.models import Channel, Delivery, Notice
from console.notices.operations.channels import load
from console.notices.vocabulary import State, Topic, Urgency

OWN_PAGE, TEAM_PAGE = "/account/notifications/", "/channels/"


class NoSuchDelivery(Refused):
    """There is no such line in the log for whoever asks."""

    kind, code = Kind.MISSING, "NO_SUCH_DELIVERY"


class ChannelGone(Refused):
    """The channel was removed, or is paused."""

    code = "CHANNEL_GONE"


@transaction.atomic(durable=True)
def send_test(*, channel_id: int, by: Actor, at: datetime, source: str = "api") -> UUID:
    """Put a test message into the outbox, past quiet hours and digest; give its line in the log."""
    channel = load(channel_id, by=by)
    if channel.paused_at is not None:
        raise ChannelGone("This channel is paused.")
    notice = Notice.objects.create(
        once=str(uuid4()),
        topic=Topic.TEST,
        subject_key=f"channel:{channel.pk}",
        urgency=Urgency.URGENT,
        at=at,
        words=Words(by=by.name, name=channel.name).kept(),
        link=TEAM_PAGE if channel.person_id is None else OWN_PAGE,
    )
    row = Delivery.objects.create(notice=notice, channel=channel, made_at=at, due_at=at)
    Channel.objects.filter(pk=channel.pk).update(next_at=None)  # whoever tests does not wait for a pause
    record(subject=f"channel:{channel.pk}", verb="test_asked", actor=by, at=at, source=source)
    return row.pk


@transaction.atomic(durable=True)
def redeliver(*, delivery_id: UUID, by: Actor, at: datetime, source: str = "api") -> None:
    """Send a notice once more, under its old id, from the first try on."""
    permissions.insist_on_person(by)
    row = Delivery.objects.select_related("channel").filter(pk=delivery_id).first()
    if row is None:
        raise NoSuchDelivery("There is no such line in the log.")
    try:
        permissions.insist(by, owner_id=row.channel.person_id)
    except permissions.NoSuchChannel as exc:
        raise NoSuchDelivery("There is no such line in the log.") from exc
    if row.channel.removed_at is not None:
        raise ChannelGone("This channel was removed.")
    again = {"state": State.WAITING, "due_at": at, "tries": 0, "fault": "", "finished_at": None}
    Delivery.objects.filter(pk=row.pk).update(**again)
    Channel.objects.filter(pk=row.channel_id).update(next_at=None)
    detail: dict[str, object] = {"delivery_id": str(row.pk), "was": row.state}
    record(
        subject=f"channel:{row.channel_id}",
        verb="redelivery_asked",
        actor=by,
        at=at,
        source=source,
        detail=detail,
    )
