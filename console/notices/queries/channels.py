"""Channels and wishes, as pages and the API show them."""

from django.conf import settings
from django.db.models import Count, Q, QuerySet

from console.notices.domain.addresses import shown
from console.notices.models import Channel, Preference
from console.notices.queries.pace import zone_of
from console.notices.queries.shapes import ChannelLine, Preferences
from console.notices.vocabulary import ChannelKind, State


def own_channels(*, person_id: int) -> tuple[ChannelLine, ...]:
    """Give a person's channels, oldest first."""
    return _lines(Channel.objects.filter(person_id=person_id))


def team_channels() -> tuple[ChannelLine, ...]:
    """Give the teams' channels, oldest first."""
    return _lines(Channel.objects.filter(person__isnull=True))


def channel_line(*, channel_id: int) -> ChannelLine | None:
    """Give one channel, None where it is not there or was removed."""
    return next(iter(_lines(Channel.objects.filter(pk=channel_id))), None)


def preferences(*, person_id: int, person_zone: str, browser_zone: str = "") -> Preferences:
    """Give a person's wishes, and the zone that they are meant in: the browser's for one who has chosen none yet."""
    row = Preference.objects.filter(person_id=person_id).first()
    if row is None:
        return Preferences(zone=zone_of(person_zone, browser_zone).key)
    return Preferences(
        quiet_from=row.quiet_from,
        quiet_until=row.quiet_until,
        urgent_at_once=row.urgent_at_once,
        zone=zone_of(person_zone, row.zone).key,
    )


def line_of(row: Channel, *, pending: int = 0) -> ChannelLine:
    """Give a channel as a value."""
    return ChannelLine(
        id=row.pk,
        version=row.version,
        kind=row.kind,
        name=row.name,
        address=shown(row.kind, row.address),
        person_id=row.person_id,
        language=row.language,
        topics=tuple(row.topics),
        queues=tuple(row.queues),
        digest_minutes=row.digest_minutes,
        configured=row.kind != ChannelKind.EMAIL or bool(settings.EMAIL_HOST),
        made_at=row.made_at,
        paused_at=row.paused_at,
        fault=row.fault,
        failing_since=row.failing_since,
        last_ok_at=row.last_ok_at,
        next_at=row.next_at,
        pending=pending,
    )


def _lines(rows: QuerySet[Channel]) -> tuple[ChannelLine, ...]:
    waiting = Count("deliveries", filter=Q(deliveries__state=State.WAITING))
    there = rows.filter(removed_at__isnull=True).annotate(pending=waiting).order_by("pk")
    return tuple(line_of(row, pending=row.pending) for row in there)
