"""On PostgreSQL calls live in one partition for each day they arrive; elsewhere there is nothing to do.

The id of a call carries its moment of arrival, so a day is a range of ids, and a day that is past its time is dropped
whole.
"""

import threading
from datetime import UTC, date, datetime, timedelta

from django.db import connection, transaction

from telemetry.domain.ids import first_id

DAY = timedelta(days=1)
AHEAD = 2  # days kept ready
_known: set[tuple[str, date]] = set()
_lock = threading.Lock()


def ensure_partition(at: datetime) -> None:
    """Make the partitions of this day and the next ones, where they are missing."""
    if connection.vendor != "postgresql":
        return
    today = at.astimezone(UTC).date()
    mark = (str(connection.settings_dict["NAME"]), today)
    if mark in _known:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        # Two processes at midnight: the lock lets the second find what the first has made.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('telemetry_call partitions'))")
        for ahead in range(AHEAD + 1):
            day = today + ahead * DAY
            cursor.execute(_statement(day))
    if not connection.in_atomic_block:
        with _lock:
            _known.add(mark)


def forget() -> None:
    """Ask the database again next time."""
    with _lock:
        _known.clear()


def _statement(day: date) -> str:
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return (
        f"CREATE TABLE IF NOT EXISTS telemetry_call_{day:%Y%m%d} PARTITION OF telemetry_call "
        f"FOR VALUES FROM ({first_id(start)}) TO ({first_id(start + DAY)})"
    )
