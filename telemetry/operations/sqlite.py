"""The hot path's statements for SQLite. The transaction holds the one write lock, so nothing here locks rows."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any, cast

import orjson
from django.db import connection
from django.db.backends.utils import CursorWrapper

from telemetry.domain.otlp.reading import Place
from telemetry.domain.sketch import EMPTY, pack, unpack
from telemetry.domain.tally import RollupRow, SeriesWords, SketchKey
from telemetry.operations.rows import (
    CallRow,
    CauseRow,
    ContextRow,
    KeyRow,
    LedgerRow,
    PlaceOfTool,
    StoredRow,
    ToolSpan,
    times_of,
)

# Rows a statement: few texts, so that the driver keeps them prepared (it keeps 128).
AT_ONCE = (200, 100, 50, 16, 8, 4, 2, 1)
# What every flush writes: each statement gives the interpreter's lock away, and small flushes wait longer for it than they
# work. So a few posts are one statement, however many they are.
ALL_AT_ONCE = (200, 100, 50, 32, *range(20, 0, -1))


def room_to_write() -> None:
    """Let this thread's connection hold more of the file than those of readers: a flush touches many pages of indexes."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size=-8000")


class Many:
    """An INSERT of any number of rows, many a statement: half of what a statement a row costs.

    A statement that fails ends the transaction, so SQLite need not be able to take its first rows back alone (OR FAIL).
    """

    def __init__(self, into: str, columns: str, tail: str, sizes: Sequence[int] = AT_ONCE) -> None:
        row = f"({', '.join('?' * len(columns.split(',')))})"
        head = f"INSERT OR FAIL INTO {into} ({columns}) VALUES "  # noqa: S608  # all of it is written below
        self._texts = [(n, f"{head}{', '.join([row] * n)} {tail}") for n in sizes]

    def run(self, cursor: CursorWrapper, rows: Sequence[tuple[Any, ...]]) -> int:
        """Write the rows; give how many the database says it wrote."""
        driver = cast("sqlite3.Cursor", cursor.cursor)
        start = written = 0
        with cursor.db.wrap_database_errors:
            for size, text in self._texts:
                while len(rows) - start >= size:
                    values = tuple(chain.from_iterable(rows[start : start + size]))
                    sqlite3.Cursor.execute(
                        driver, text, values
                    )  # past Django's, which looks for %s in the text
                    written += driver.rowcount
                    start += size
        return written


TOOLS = Many("telemetry_tool", "id, name, first_seen_at", "ON CONFLICT DO NOTHING")
SERIES = Many(
    "telemetry_series",
    "id, kind, agent_id, tool_id, failure_class, code, outcome, recovered_by",
    "ON CONFLICT DO NOTHING",
)
CAUSES = Many(
    "telemetry_fingerprint",
    "id, tool_id, failure_class, code, template, first_seen_at, first_call",
    "ON CONFLICT DO NOTHING",
)
CONTEXTS = Many(
    "telemetry_spancontext",
    "agent_id, trace_id, span_id, parent_id, session_id, agent_name, tool, is_mcp, call_id, minute, failed",
    """ON CONFLICT (agent_id, trace_id, span_id) DO UPDATE SET
parent_id = excluded.parent_id, session_id = excluded.session_id, agent_name = excluded.agent_name,
tool = excluded.tool, is_mcp = excluded.is_mcp, call_id = excluded.call_id, minute = excluded.minute,
failed = excluded.failed""",
)
CLAIM = Many(
    "telemetry_callkey",
    "agent_id, call_id, call, rev",
    "ON CONFLICT (agent_id, call_id) DO NOTHING",
    ALL_AT_ONCE,
)
CLAIMED = """SELECT k.agent_id, k.call_id, k.call, k.rev FROM json_each(%s) e
JOIN telemetry_callkey k ON k.agent_id = e.value->>0 AND k.call_id = e.value->>1"""
# CROSS JOIN: the spans asked about first, each then looked up.
MESSAGES_UNDER = """SELECT c.trace_id, c.span_id, c.tool, c.parent_id, c.is_mcp, c.call_id, c.failed
FROM json_each(%s) e CROSS JOIN telemetry_spancontext c INDEXED BY telemetry_context_mcp
ON c.agent_id = %s AND c.is_mcp AND c.trace_id = e.value->>0 AND c.parent_id = e.value->>1 AND c.tool = e.value->>2"""
SPANS_AT = """SELECT c.trace_id, c.span_id, c.tool, c.parent_id, c.is_mcp, c.call_id, c.failed
FROM json_each(%s) e CROSS JOIN telemetry_spancontext c
ON c.agent_id = %s AND c.trace_id = e.value->>0 AND c.span_id = e.value->>1"""
STORED = """SELECT c.id, s.kind, s.agent_id, s.tool_id, s.failure_class, s.code, s.outcome, s.recovered_by,
c.bucket, c.duration_us, c.attempts, c.recovery_us, c.fingerprint, c.detail
FROM json_each(%s) e JOIN telemetry_call c ON c.id = e.value JOIN telemetry_series s ON s.id = c.series_id"""
INSERT = Many(
    "telemetry_call",
    "id, series_id, call_id, rev, trace_id, bucket, started_at, duration_us, attempts, recovery_us, fingerprint, detail",
    "",
    ALL_AT_ONCE,
)
REPLACE = """UPDATE telemetry_call SET series_id = %s, rev = %s, trace_id = %s, bucket = %s, started_at = %s,
duration_us = %s, attempts = %s, recovery_us = %s, fingerprint = %s, detail = %s WHERE id = %s"""
RAISE_REV = "UPDATE telemetry_callkey SET rev = %s WHERE agent_id = %s AND call_id = %s"
ROLL_UP = Many(
    "telemetry_rollup",
    "agent_id, grain, bucket, series_id, n, first_time, attempts, duration_us, recovery_us",
    """ON CONFLICT (agent_id, grain, bucket, series_id) DO UPDATE SET
n = n + excluded.n, first_time = first_time + excluded.first_time, attempts = attempts + excluded.attempts,
duration_us = duration_us + excluded.duration_us, recovery_us = recovery_us + excluded.recovery_us""",
)
SKETCHES = """SELECT s.grain, s.bucket, s.tool_id, s.agent_id, s.kind, s.bins FROM json_each(%s) e
JOIN telemetry_sketch s ON s.grain = e.value->>0 AND s.bucket = e.value->>1 AND s.tool_id = e.value->>2
AND s.agent_id = e.value->>3 AND s.kind = e.value->>4"""
SKETCH = Many(
    "telemetry_sketch",
    "grain, bucket, tool_id, agent_id, kind, bins",
    "ON CONFLICT (grain, bucket, tool_id, agent_id, kind) DO UPDATE SET bins = excluded.bins",
)
PUT_OFF = "INSERT INTO telemetry_uncounted (tally) VALUES (%s)"
UNCOUNTED = "SELECT tally FROM telemetry_uncounted ORDER BY id"
COUNTED = "DELETE FROM telemetry_uncounted"
LEDGER = Many(
    "telemetry_ledger",
    "key_id, minute, what, reason, n",
    "ON CONFLICT (key_id, minute, what, reason) DO UPDATE SET n = n + excluded.n",
)
USED = """UPDATE telemetry_agentkey SET last_used_at = %s
WHERE id = %s AND (last_used_at IS NULL OR last_used_at < %s)"""


class SqliteStore:
    """Runs the statements on one cursor."""

    def __init__(self, cursor: CursorWrapper) -> None:
        self._cursor = cursor

    def known_words(
        self, tools: Mapping[int, str], series: Mapping[int, SeriesWords], *, at: datetime
    ) -> None:
        """Make sure the tools and series exist."""
        seen = _time(at)
        TOOLS.run(self._cursor, [(tool, tools[tool], seen) for tool in sorted(tools)])
        SERIES.run(self._cursor, [(key, *series[key]) for key in sorted(series)])

    def known_causes(self, causes: Sequence[CauseRow]) -> None:
        """Make sure the fingerprints exist."""
        CAUSES.run(self._cursor, [(*row[:5], _time(row[5]), row[6]) for row in causes])

    def contexts(self, rows: Sequence[ContextRow]) -> None:
        """Keep what spans say about the calls beneath them."""
        CONTEXTS.run(self._cursor, rows)

    def claim(self, keys: Sequence[KeyRow]) -> set[int]:
        """Insert the keys that are new and give the ids of their calls."""
        calls = {key[2] for key in keys}
        if CLAIM.run(self._cursor, keys) == len(keys):
            return calls
        there = self.claimed([key[:2] for key in keys])
        return calls.intersection([call for call, _ in there.values()])

    def claimed(self, keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], tuple[int, int]]:
        """Give (call, rev) of keys that exist."""
        self._cursor.execute(CLAIMED, [_json(keys)])
        return {(agent, call_id): (call, rev) for agent, call_id, call, rev in self._cursor.fetchall()}

    def messages_under(self, agent_id: int, places: Sequence[PlaceOfTool]) -> list[ToolSpan]:
        """Give the messages of MCP right under these spans, of the same tool."""
        return self._tool_spans(MESSAGES_UNDER, agent_id, places)

    def spans_at(self, agent_id: int, places: Sequence[Place]) -> list[ToolSpan]:
        """Give the spans at these places."""
        return self._tool_spans(SPANS_AT, agent_id, places)

    def _tool_spans(self, statement: str, agent_id: int, places: Sequence[Any]) -> list[ToolSpan]:
        self._cursor.execute(statement, [orjson.dumps(places).decode(), agent_id])
        return [ToolSpan(*row) for row in self._cursor.fetchall()]

    def stored(self, calls: Sequence[int]) -> dict[int, StoredRow]:
        """Give stored calls as they were counted."""
        self._cursor.execute(STORED, [_json(calls)])
        return {row[0]: StoredRow(row[0], tuple(row[1:8]), *row[8:]) for row in self._cursor.fetchall()}

    def insert(self, rows: Sequence[CallRow]) -> None:
        """Insert calls whose keys were claimed."""
        times = times_of(rows, between=" ", zone="")  # as `_time` has one
        INSERT.run(self._cursor, [row.columns(time) for row, time in zip(rows, times, strict=True)])

    def replace(self, rows: Sequence[tuple[int, CallRow]]) -> None:
        """Overwrite calls and raise the rev of their keys."""
        self._cursor.executemany(
            REPLACE, [(row.series, *row.changing(_time(row.started_at)), row.id) for _, row in rows]
        )
        self._cursor.executemany(RAISE_REV, [(row.rev, agent, row.call_id) for agent, row in rows])

    def roll_up(self, rows: Iterable[RollupRow]) -> None:
        """Add to the counters."""
        ROLL_UP.run(self._cursor, list(rows))

    def sketch(self, changes: Mapping[SketchKey, int]) -> None:
        """Add to the latency sketches."""
        self._cursor.execute(SKETCHES, [_json(list(changes))])
        before = {tuple(row[:5]): unpack(row[5]) for row in self._cursor.fetchall()}
        rows = [(*key, pack(before.get(key, EMPTY) + more)) for key, more in changes.items()]
        SKETCH.run(self._cursor, rows)

    def put_off(self, tally: bytes) -> None:
        """Keep what is to be added to the counters later."""
        self._cursor.execute(PUT_OFF, [tally])

    def take_uncounted(self) -> list[bytes]:
        """Give what was put off by anybody, and forget it."""
        self._cursor.execute(UNCOUNTED)
        found = [bytes(tally) for (tally,) in self._cursor.fetchall()]
        if found:
            self._cursor.execute(COUNTED)
        return found

    def account(self, rows: Sequence[LedgerRow]) -> None:
        """Add to the ledger."""
        LEDGER.run(self._cursor, rows)

    def used(self, keys: Sequence[int], *, at: datetime) -> None:
        """Note that keys were used."""
        used = _time(at)
        self._cursor.executemany(USED, [(used, key, used) for key in keys])


def _time(at: datetime) -> str:
    """Write a time in UTC as Django's own columns have it: without its zone."""
    return at.isoformat(" ").removesuffix("+00:00")


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
