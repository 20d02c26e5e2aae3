"""Times that every zone, database and browser can carry."""

from datetime import UTC, datetime

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


def within(at: datetime) -> datetime:
    """Give the time in UTC, between the years 1970 and 9000.

    The first and the last days of the calendar have no other zone, and nothing can be added to them: a page that shows
    them in somebody's zone, or adds a duration, would break.
    """
    try:
        utc = at.astimezone(UTC)
    except OverflowError:  # the first or the last day of the calendar
        return EARLIEST if at.year < LATEST.year else LATEST
    return utc if EARLIEST <= utc <= LATEST else min(max(utc, EARLIEST), LATEST)
