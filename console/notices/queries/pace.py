"""How a channel wants its messages, from its own row and its person's."""

import zoneinfo
from datetime import timedelta

from console.notices.domain.timing import Pace, Quiet
from console.notices.models import Channel, Preference


def pace_of(channel: Channel) -> Pace:
    """Give a channel's pace; expects `person` and `person__notice_preference` to be there already."""
    digest = timedelta(minutes=channel.digest_minutes)
    if channel.person is None:
        return Pace(digest=digest, last_at=channel.last_ok_at)
    wish = getattr(channel.person, "notice_preference", None)
    return Pace(
        quiet=_quiet(wish, channel.person.time_zone) if wish is not None else None,
        digest=digest,
        last_at=channel.last_ok_at,
        urgent_at_once=wish is None or wish.urgent_at_once,
    )


def zone_of(person_zone: str, wish_zone: str) -> zoneinfo.ZoneInfo:
    """Give the zone that a person's quiet hours are meant in: the one they chose, else their browser's when they set it."""
    for name in (person_zone, wish_zone):
        try:
            if name:
                return zoneinfo.ZoneInfo(name)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):  # a zone that this machine has lost
            continue
    return zoneinfo.ZoneInfo("UTC")


def _quiet(wish: Preference, person_zone: str) -> Quiet | None:
    if wish.quiet_from is None or wish.quiet_until is None:
        return None
    return Quiet(start=wish.quiet_from, end=wish.quiet_until, zone=zone_of(person_zone, wish.zone))
