"""What is past its time goes, a little at a time, so that nobody waits for it."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from django.db import connection, transaction

from telemetry.domain.buckets import minute_of
from telemetry.domain.ids import first_id
from telemetry.models import BreakerEvent, Ledger, Rollup, Sketch, SpanContext

CHUNK = 500
_PARTITION = re.compile(r"telemetry_call_(\d{4})(\d\d)(\d\d)")
_OLDEST = "SELECT id FROM telemetry_call WHERE id < %s ORDER BY id LIMIT %s"
_KEYS_OF_CALLS = """DELETE FROM telemetry_callkey WHERE (agent_id, call_id) IN (
SELECT s.agent_id, c.call_id FROM telemetry_call c JOIN telemetry_series s ON s.id = c.series_id
WHERE c.id >= %s AND c.id <= %s)"""
_PARTITIONS = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'telemetry_call'::regclass"


def prune_calls(*, older_than: datetime) -> bool:
    """Drop a day of calls that arrived before, or some of them; give whether there may be more."""
    if connection.vendor == "postgresql":
        return _drop_partition(older_than)
    return _delete_some(first_id(older_than))


def prune_counters(*, at: datetime, keep: Mapping[int, timedelta]) -> None:
    """Drop counters, by how long each grain (minutes) is kept; the ledger goes with the minutes."""
    for grain, span in sorted(keep.items()):
        last = minute_of(at - span) // grain
        for agent_grain in (Rollup, Sketch):
            agent_grain.objects.filter(grain=grain, bucket__lt=last).delete()
    Ledger.objects.filter(minute__lt=minute_of(at - keep[1])).delete()


def prune_contexts(*, older_than: datetime) -> None:
    """Drop what spans said about calls that are gone by now."""
    SpanContext.objects.filter(minute__lt=minute_of(older_than)).delete()


def prune_breaker_events(*, older_than: datetime) -> None:
    """Drop the history of breakers from before."""
    BreakerEvent.objects.filter(received_at__lt=older_than).delete()


@transaction.atomic(durable=True)
def _delete_some(before: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST, [before, CHUNK])
        ids = [row[0] for row in cursor.fetchall()]
        if ids:
            cursor.execute(_KEYS_OF_CALLS, [ids[0], ids[-1]])
            cursor.execute("DELETE FROM telemetry_call WHERE id >= %s AND id <= %s", [ids[0], ids[-1]])
    return len(ids) == CHUNK


@transaction.atomic(durable=True)
def _drop_partition(older_than: datetime) -> bool:
    """Drop the oldest partition whose day is over for good."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTITIONS)
        past = sorted(day for (name,) in cursor.fetchall() if (day := _day(name)) and day < _date(older_than))
        if not past:
            return False
        day = past[0]
        start = datetime(day.year, day.month, day.day, tzinfo=UTC)
        cursor.execute(_KEYS_OF_CALLS, [first_id(start), first_id(start + timedelta(days=1)) - 1])
        cursor.execute(f"DROP TABLE telemetry_call_{day:%Y%m%d}")
    return len(past) > 1


def _day(name: str) -> date | None:
    found = _PARTITION.search(name)
    return date(*map(int, found.groups())) if found else None


def _date(at: datetime) -> date:
    return at.astimezone(UTC).date()
