"""Messages on their way: one due message at a time, taken by a lease on its channel so that a crash loses none.

Whoever crashes with a message lets it come up again under the same id after the lease: at least once, and receivers
can tell. A channel is in one pair of hands at a time and waits for itself alone when it fails.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from console.audit.operations import record
from console.kit.actor import SYSTEM
from console.kit.clean import clean_text
from console.notices import announce
from console.notices.domain.timing import goes_out_at, next_try, pause
from console.notices.models import Attempt, Channel, Delivery
from console.notices.queries.items import item_of
from console.notices.queries.pace import pace_of
from console.notices.queries.shapes import Outgoing
from console.notices.queries.wanted import still_wanted
from console.notices.vocabulary import ChannelKind, Dropped, State, Urgency

LEASE = timedelta(seconds=60)  # longer than any sending may take
MOST_IN_ONE = 50
FLOOD = 5  # so many at once are one message, digest or not
MOST_LOOKS = 50


@transaction.atomic(durable=True)
def take_one(*, at: datetime) -> Outgoing | None:
    """Take the message that is due for longest, None where nothing is due that may be sent now."""
    for _ in range(MOST_LOOKS):
        channel = _next_channel(at)
        if channel is None:
            return None
        if batch := _batch(channel, at):
            return _taken(channel, batch, at)
    return None


def sift(channel: Channel, rows: Iterable[Delivery], at: datetime) -> list[Delivery]:
    """Give those that go out now: push on what has to wait, drop what nobody wants any more.

    What is pushed on leaves its message, whose id may have reached the other side already.
    """
    pace, who = pace_of(channel), str(channel.person_id or "")
    if channel.person is not None and not channel.person.is_active:
        drop(Delivery.objects.filter(channel=channel), Dropped.REMOVED, at=at)
        return []
    going: list[Delivery] = []
    for row in rows:
        due = goes_out_at(pace, Urgency(row.notice.urgency), at)
        if due > at:
            Delivery.objects.filter(pk=row.pk, state=State.WAITING).update(due_at=due, message_id=None)
        elif not still_wanted(topic=row.notice.topic, subject_key=row.notice.subject_key, person_id=who):
            drop(Delivery.objects.filter(pk=row.pk), Dropped.NOT_WANTED, at=at)
        else:
            going.append(row)
    return going


def drop(rows: QuerySet[Delivery], why: Dropped, *, at: datetime) -> int:
    """End deliveries without sending anything; give how many."""
    pending = rows.filter(state__in=[State.WAITING, State.OFFERED])
    return pending.update(state=State.DROPPED, fault=why, due_at=None, finished_at=at)


@transaction.atomic(durable=True)
def sent(*, message_id: UUID, attempt_id: int, channel_id: int, fault: str, at: datetime) -> None:
    """Store how an attempt ended: a blank fault means that the other side took it."""
    channel = Channel.objects.select_for_update().get(pk=channel_id)
    fault = clean_text(fault, limit=300)
    announce.outbox_changed(person_id=channel.person_id, at=at)
    Attempt.objects.filter(pk=attempt_id).update(ended_at=at, fault=fault)
    rows = Delivery.objects.filter(channel=channel, message_id=message_id, state=State.WAITING)
    if not fault:
        rows.update(state=State.SENT, fault="", due_at=None, finished_at=at)
        calm = {"busy_until": None, "next_at": None, "failures": 0, "fault": "", "failing_since": None}
        Channel.objects.filter(pk=channel_id).update(last_ok_at=at, **calm)
        return
    failures = channel.failures + 1
    Channel.objects.filter(pk=channel_id).update(
        busy_until=None,
        next_at=at + pause(failures),
        failures=failures,
        fault=fault,
        failing_since=channel.failing_since or at,
    )
    _again_or_never(channel, list(rows), fault, at)


def _again_or_never(channel: Channel, rows: list[Delivery], fault: str, at: datetime) -> None:
    given_up = []
    for row in rows:
        again = next_try(row.tries, at=at)
        if again is None:
            ended = {"state": State.FAILED, "due_at": None, "finished_at": at}
            Delivery.objects.filter(pk=row.pk).update(fault=fault, **ended)
            given_up.append(str(row.pk))
        else:
            Delivery.objects.filter(pk=row.pk).update(fault=fault, due_at=again)
    if given_up:
        detail: dict[str, object] = {"deliveries": given_up, "fault": fault}
        record(
            subject=f"channel:{channel.pk}",
            verb="notice_given_up",
            actor=SYSTEM,
            at=at,
            source="sweep",
            detail=detail,
        )


def _next_channel(at: datetime) -> Channel | None:
    due = Delivery.objects.filter(channel=OuterRef("pk"), state=State.WAITING, due_at__lte=at)
    idle = Channel.objects.filter(
        Exists(due),
        Q(busy_until__isnull=True) | Q(busy_until__lte=at),
        Q(next_at__isnull=True) | Q(next_at__lte=at),
        paused_at__isnull=True,
        removed_at__isnull=True,
    ).exclude(kind=ChannelKind.BROWSER)
    first = Subquery(due.order_by("due_at").values("due_at")[:1])
    return (
        idle.annotate(first=first)
        .select_related("person__notice_preference")
        .order_by("first", "pk")
        .select_for_update(skip_locked=True, of=("self",))
        .first()
    )


def _batch(channel: Channel, at: datetime) -> list[Delivery]:
    """Give what goes out as one message, urgent ones first: one that was tried before, whole, or new notices."""
    waiting = Delivery.objects.filter(channel=channel, state=State.WAITING).select_related("notice")
    urgent = When(notice__urgency=Urgency.URGENT, then=False)
    due = waiting.filter(due_at__lte=at).order_by(Case(urgent, default=True), "due_at", "made_at", "id")
    first = due.first()
    if first is None:
        return []
    if first.message_id is not None:
        return sift(channel, waiting.filter(message_id=first.message_id).order_by("made_at", "id"), at)
    fresh = sift(channel, due.filter(message_id__isnull=True)[:MOST_IN_ONE], at)
    return fresh if channel.digest_minutes or len(fresh) >= FLOOD else fresh[:1]


def _taken(channel: Channel, batch: list[Delivery], at: datetime) -> Outgoing:
    message_id = batch[0].message_id or uuid.uuid4()
    Delivery.objects.filter(pk__in=[row.pk for row in batch]).update(
        message_id=message_id, tries=F("tries") + 1
    )
    Channel.objects.filter(pk=channel.pk).update(busy_until=at + LEASE)
    attempt = Attempt.objects.create(message_id=message_id, channel=channel, started_at=at)
    own = channel.person.language if channel.person is not None else ""
    return Outgoing(
        message_id=message_id,
        attempt_id=attempt.pk,
        channel_id=channel.pk,
        kind=channel.kind,
        address=channel.address,
        secret=channel.secret,
        language=own or channel.language or "en",
        items=tuple(item_of(row.notice) for row in batch),
    )
