"""The log of the outbox: every delivery with its state, and every attempt."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from console.kit.paging import Page, decode, page_of
from console.notices.models import Attempt, Delivery
from console.notices.queries.items import item_of
from console.notices.queries.shapes import AttemptLine, DeliveryLine
from console.notices.vocabulary import State


def deliveries(
    *,
    person_id: int,
    everything: bool,
    own: bool | None = None,
    channel_id: int | None = None,
    state: str = "",
    after: str | None = None,
    limit: int = 50,
) -> Page[DeliveryLine]:
    """Give a page of the log, newest first: a person's own lines and the teams' (or one of both), or everybody's."""
    rows = Delivery.objects.order_by("-made_at", "-id")
    if own is not None:
        rows = rows.filter(channel__person_id=person_id) if own else rows.filter(channel__person__isnull=True)
    elif not everything:
        rows = rows.filter(Q(channel__person_id=person_id) | Q(channel__person__isnull=True))
    if channel_id is not None:
        rows = rows.filter(channel_id=channel_id)
    if state:
        rows = rows.filter(state=state)
    if after:
        made_at, key = decode(after, datetime.fromisoformat, UUID)
        rows = rows.filter(Q(made_at__lt=made_at) | Q(made_at=made_at, id__lt=key))
    return page_of(_lines(rows, limit + 1), limit=limit, key=lambda line: (line.made_at, line.id))


def offered(*, person_id: int, at: datetime, limit: int = 20) -> tuple[DeliveryLine, ...]:
    """Give what a person's browser may show now, oldest first."""
    mine = Delivery.objects.filter(channel__person_id=person_id, state=State.OFFERED, due_at__gt=at)
    return tuple(_lines(mine.order_by("made_at", "id"), limit))


def _lines(rows: QuerySet[Delivery], limit: int) -> list[DeliveryLine]:
    found = list(rows.select_related("notice", "channel__person")[:limit])
    tried = _attempts(row.message_id for row in found if row.message_id is not None)
    return [_line(row, tuple(tried[row.message_id])) for row in found]


def _attempts(messages: Iterable[UUID]) -> defaultdict[UUID | None, list[AttemptLine]]:
    tried: defaultdict[UUID | None, list[AttemptLine]] = defaultdict(list)
    for row in Attempt.objects.filter(message_id__in=set(messages)).order_by("started_at", "id"):
        tried[row.message_id].append(AttemptLine(row.started_at, row.ended_at, row.fault))
    return tried


def _line(row: Delivery, attempts: tuple[AttemptLine, ...]) -> DeliveryLine:
    person = row.channel.person
    return DeliveryLine(
        id=row.pk,
        item=item_of(row.notice),
        channel_id=row.channel_id,
        channel_name=row.channel.name,
        channel_kind=row.channel.kind,
        channel_removed=row.channel.removed_at is not None,
        person_id=row.channel.person_id,
        person_name=person.get_username() if person is not None else "",
        state=row.state,
        fault=row.fault,
        made_at=row.made_at,
        due_at=row.due_at,
        finished_at=row.finished_at,
        tries=row.tries,
        message_id=row.message_id,
        attempts=attempts,
    )
