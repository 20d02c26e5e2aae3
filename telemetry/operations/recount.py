"""Everything that is counted, counted again from the calls themselves: the proof that the counters are exact.

It reads one moment of the store while reports go on, and writes nothing.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from telemetry.domain.buckets import GRAINS, SKETCH_GRAINS, minute_of
from telemetry.domain.ids import first_id, id_of_words
from telemetry.domain.sketch import unpack
from telemetry.domain.tally import Tally
from telemetry.models import Call, Ledger, Rollup, Series, Sketch, Uncounted
from telemetry.operations.store import counted_as
from telemetry.vocabulary import Accounted

CHUNK = 2_000
_BEGIN = {"sqlite": "BEGIN DEFERRED", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}
_AMOUNTS = ("n", "first_time", "attempts", "duration_us", "recovery_us")


@dataclass(frozen=True, slots=True)
class Difference:
    """A number that is not what the calls say. `table` is where it stands, `key` which row it is."""

    table: str
    key: tuple[Any, ...]
    stored: Any
    recounted: Any


@dataclass(frozen=True, slots=True)
class Recount:
    """How much was compared, and what differs."""

    calls: int
    counters: int
    sketches: int
    lines: int
    differences: tuple[Difference, ...]


def recount(*, since: datetime) -> Recount:
    """Compare the counters of every bucket from this moment on, the start of a day, with the calls in them.

    A call never arrives before the minute it is counted in, so those that arrived since are all there are.
    """
    start = minute_of(since)
    with _one_moment():
        tally, calls = _tally(first_id(since), start)
        counters, sketches, lines = _counters(start), _sketches(start), _lines(start)
        _count_what_waits(counters, sketches, start)
        series = {row[0]: row[1:] for row in Series.objects.values_list("pk", *_WORDS)}
    counted = {row[:4]: row[4:] for row in tally.rollups()}
    found = [
        *_compared("rollup", counters, counted),
        *_compared("sketch", sketches, tally.sketches()),
        *_unbalanced(lines),
        *_unknown(series, counters),
    ]
    return Recount(calls, len(counted), len(tally.sketches()), len(lines), tuple(found))


_WORDS = ("kind", "agent_id", "tool_id", "failure_class", "code", "outcome", "recovered_by")


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read what is stored at one moment, without holding up whoever writes; within a transaction, that one's."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _tally(least: int, start: int) -> tuple[Tally, int]:
    tally, calls = Tally(), 0
    rows = Call.objects.select_related("series").filter(pk__gte=least, bucket__gte=start).order_by("pk")
    for row in rows.iterator(CHUNK):
        tally.add(counted_as(row.series, row))
        calls += 1
    return tally, calls


def _counters(start: int) -> dict[tuple[int, ...], tuple[int, ...]]:
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for grain in GRAINS:
        rows = Rollup.objects.filter(grain=grain, bucket__gte=start // grain)
        for row in rows.values_list("agent_id", "grain", "bucket", "series_id", *_AMOUNTS).iterator(CHUNK):
            if any(row[4:]):  # what was corrected away stays as zeros
                found[row[:4]] = row[4:]
    return found


def _sketches(start: int) -> dict[tuple[Any, ...], int]:
    found: dict[tuple[Any, ...], int] = {}
    for grain in SKETCH_GRAINS:
        rows = Sketch.objects.filter(grain=grain, bucket__gte=start // grain)
        for *key, bins in rows.values_list("grain", "bucket", "tool_id", "agent_id", "kind", "bins").iterator(
            CHUNK
        ):
            if sketch := unpack(bytes(bins)):
                found[tuple(key)] = sketch
    return found


def _count_what_waits(
    counters: dict[tuple[int, ...], tuple[int, ...]], sketches: dict[tuple[Any, ...], int], start: int
) -> None:
    """Add what was put off to what was read."""
    tally = Tally()
    for written in Uncounted.objects.values_list("tally", flat=True):
        tally.read(bytes(written))
    for row in tally.rollups():
        key, amounts = row[:4], row[4:]
        if row[2] >= start // row[1]:
            known = counters.get(key, (0,) * len(amounts))
            counters[key] = tuple(map(sum, zip(known, amounts, strict=True)))
    for sketch, more in tally.sketches().items():
        if sketch[1] >= start // sketch[0]:
            sketches[sketch] = sketches.get(sketch, 0) + more


def _lines(start: int) -> dict[tuple[int, int], Counter[str]]:
    found: dict[tuple[int, int], Counter[str]] = {}
    for key, minute, what, n in Ledger.objects.filter(minute__gte=start).values_list(
        "key_id", "minute", "what", "n"
    ):
        found.setdefault((key, minute), Counter())[what] += n
    return found


def _compared(table: str, stored: dict[Any, Any], counted: dict[Any, Any]) -> Iterator[Difference]:
    for key in sorted(stored.keys() | counted.keys()):
        if stored.get(key) != counted.get(key):
            yield Difference(table, key, stored.get(key), counted.get(key))


def _unbalanced(lines: dict[tuple[int, int], Counter[str]]) -> Iterator[Difference]:
    """Received is stored, corrected, duplicate and rejected together, in every minute of every key."""
    for key, line in sorted(lines.items()):
        fates = sum(line.values()) - line[Accounted.RECEIVED]
        if fates != line[Accounted.RECEIVED]:
            yield Difference("ledger", key, line[Accounted.RECEIVED], fates)


def _unknown(
    series: dict[int, tuple[Any, ...]], counters: dict[tuple[int, ...], Any]
) -> Iterator[Difference]:
    """Every counter has its series, and every series the id that its words give."""
    for missing in sorted({key[3] for key in counters} - series.keys()):
        yield Difference("series", (missing,), None, None)
    for key, words in sorted(series.items()):
        if id_of_words(*words) != key:
            yield Difference("series", words, key, id_of_words(*words))
