"""Finding out whom a notice reaches: a row of the outbox becomes one delivery per channel."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from console.notices.domain.audience import Audience, Listener, concerns
from console.notices.domain.timing import goes_out_at
from console.notices.models import Channel, Delivery, Notice
from console.notices.queries.pace import pace_of
from console.notices.vocabulary import Topic, Urgency

MOST = 200


@transaction.atomic(durable=True)
def address_some(*, at: datetime) -> bool:
    """Address the notices that wait for longest, many in one transaction; say whether there may be more."""
    waiting = Notice.objects.filter(fan_at__lte=at).order_by("fan_at", "id")
    rows = list(waiting.select_for_update(skip_locked=True)[:MOST])
    if not rows:
        return False
    channels = [(channel, _listener(channel)) for channel in listening()]
    deliveries = [
        Delivery(
            notice=row,
            channel=channel,
            made_at=row.at,
            due_at=goes_out_at(pace_of(channel), Urgency(row.urgency), at),
        )
        for row in rows
        for channel, listener in channels
        if concerns(_audience(row), Topic(row.topic), listener)
    ]
    Delivery.objects.bulk_create(deliveries, ignore_conflicts=True, batch_size=500)
    Notice.objects.filter(pk__in=[row.pk for row in rows]).update(fan_at=None)
    return len(rows) == MOST


def _audience(row: Notice) -> Audience:
    return Audience(
        people=frozenset(row.people), queue=row.queue, roles=frozenset(row.roles), not_to=row.not_to
    )


def listening() -> QuerySet[Channel]:
    """Give every channel that is there, with its person, their wishes and their roles."""
    there = Channel.objects.filter(
        Q(person__isnull=True) | Q(person__is_active=True), removed_at__isnull=True
    )
    return there.select_related("person__notice_preference").prefetch_related("person__groups").order_by("pk")


def _listener(channel: Channel) -> Listener:
    topics, queues = frozenset(channel.topics), frozenset(channel.queues)
    if channel.person is None:
        return Listener(topics=topics, queues=queues)
    roles = frozenset(group.name for group in channel.person.groups.all())
    return Listener(topics=topics, queues=queues, person_id=str(channel.person.pk), roles=roles)
