"""Notices that a person's open browser shows: offered, shown, or unseen when no browser was open."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from console.notices import announce
from console.notices.models import Channel, Delivery
from console.notices.operations.sending import drop, sift
from console.notices.vocabulary import ChannelKind, Dropped, State

OFFERED_FOR = timedelta(minutes=15)  # later, what happened is read on the pages


@transaction.atomic(durable=True)
def offer_one(*, at: datetime) -> bool:
    """Offer what is due to one person's browsers; say whether anything was due."""
    due = Delivery.objects.filter(
        channel__kind=ChannelKind.BROWSER,
        channel__paused_at__isnull=True,
        state=State.WAITING,
        due_at__lte=at,
    )
    first = due.order_by("due_at", "id").select_for_update(skip_locked=True, of=("self",)).first()
    if first is None:
        return False
    channel = Channel.objects.select_related("person__notice_preference").get(pk=first.channel_id)
    rows = due.filter(channel=channel).select_related("notice").order_by("due_at", "id")[:100]
    going = [row.pk for row in sift(channel, rows, at)]
    mine = Delivery.objects.filter(pk__in=going, state=State.WAITING)
    if mine.update(state=State.OFFERED, due_at=at + OFFERED_FOR) and channel.person_id is not None:
        announce.offered(person_id=channel.person_id, at=at)
    return True


@transaction.atomic(durable=True)
def shown(*, person_id: int, deliveries: Sequence[UUID], at: datetime) -> int:
    """Keep that a browser showed notices; of two browsers the first counts. Give how many that were."""
    mine = Delivery.objects.filter(pk__in=deliveries, channel__person_id=person_id, state=State.OFFERED)
    ids = list(mine.values_list("pk", flat=True))
    offered = Delivery.objects.filter(pk__in=ids, state=State.OFFERED)
    return offered.update(state=State.SENT, due_at=None, finished_at=at)


@transaction.atomic(durable=True)
def end_unseen(*, at: datetime) -> int:
    """End what was offered long enough; give how many that were."""
    return drop(Delivery.objects.filter(state=State.OFFERED, due_at__lte=at), Dropped.UNSEEN, at=at)
