"""The hot path's statements for PostgreSQL. Every statement touches rows in key order, so flushes cannot deadlock."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

import psycopg
from django.db.backends.utils import CursorWrapper

from telemetry.domain.sketch import EMPTY, pack, unpack
from telemetry.domain.tally import RollupRow, SeriesWords, SketchKey
from telemetry.operations.rows import CallRow, CauseRow, ContextRow, KeyRow, LedgerRow, StoredRow

TOOLS = """INSERT INTO telemetry_tool (id, name, first_seen_at)
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::timestamptz[]) t(id, name, at) ORDER BY id ON CONFLICT DO NOTHING"""
SERIES = """INSERT INTO telemetry_series (id, kind, agent_id, tool_id, failure_class, code, outcome, recovered_by)
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[])
t(id, kind, agent, tool, class, code, outcome, by) ORDER BY id ON CONFLICT DO NOTHING"""
CAUSES = """INSERT INTO telemetry_fingerprint
(id, tool_id, failure_class, code, template, first_seen_at, first_call)
SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::timestamptz[], %s::bigint[])
t(id, tool, class, code, template, at, call) ORDER BY id ON CONFLICT DO NOTHING"""
CONTEXTS = """INSERT INTO telemetry_spancontext
(agent_id, trace_id, span_id, parent_id, session_id, agent_name, tool, is_mcp, call_id, minute)
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bool[],
%s::text[], %s::int[]) t(agent, trace, span, parent, session, name, tool, mcp, call, minute) ORDER BY agent, trace, span
ON CONFLICT (agent_id, trace_id, span_id) DO UPDATE SET
parent_id = excluded.parent_id, session_id = excluded.session_id, agent_name = excluded.agent_name,
tool = excluded.tool, is_mcp = excluded.is_mcp, call_id = excluded.call_id, minute = excluded.minute"""
CLAIM = """INSERT INTO telemetry_callkey (agent_id, call_id, call, rev)
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::int[]) t(agent, call_id, call, rev)
ORDER BY agent, call_id ON CONFLICT (agent_id, call_id) DO NOTHING RETURNING call"""
CLAIMED = """SELECT k.agent_id, k.call_id, k.call, k.rev
FROM unnest(%s::bigint[], %s::text[]) t(agent, call_id)
JOIN telemetry_callkey k ON k.agent_id = t.agent AND k.call_id = t.call_id
ORDER BY k.agent_id, k.call_id FOR UPDATE OF k"""
STORED = """SELECT c.id, s.kind, s.agent_id, s.tool_id, s.failure_class, s.code, s.outcome, s.recovered_by,
c.bucket, c.duration_us, c.attempts, c.recovery_us, c.fingerprint, c.detail
FROM telemetry_call c JOIN telemetry_series s ON s.id = c.series_id WHERE c.id = ANY(%s::bigint[])"""
INSERT = """COPY telemetry_call
(id, series_id, call_id, rev, trace_id, bucket, started_at, duration_us, attempts, recovery_us, fingerprint, detail) FROM STDIN"""
REPLACE = """UPDATE telemetry_call SET series_id = %s, rev = %s, trace_id = %s, bucket = %s, started_at = %s,
duration_us = %s, attempts = %s, recovery_us = %s, fingerprint = %s, detail = %s WHERE id = %s"""
RAISE_REV = "UPDATE telemetry_callkey SET rev = %s WHERE agent_id = %s AND call_id = %s"
ROLL_UP = """INSERT INTO telemetry_rollup AS r
(agent_id, grain, bucket, series_id, n, first_time, attempts, duration_us, recovery_us)
SELECT * FROM unnest(%s::bigint[], %s::smallint[], %s::int[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[],
%s::bigint[]) t(agent, grain, bucket, series, n, f, a, d, m) ORDER BY agent, grain, bucket, series
ON CONFLICT (agent_id, grain, bucket, series_id) DO UPDATE SET n = r.n + excluded.n,
first_time = r.first_time + excluded.first_time, attempts = r.attempts + excluded.attempts,
duration_us = r.duration_us + excluded.duration_us, recovery_us = r.recovery_us + excluded.recovery_us"""
SKETCHES_ARE = """INSERT INTO telemetry_sketch (grain, bucket, tool_id, agent_id, kind, bins)
SELECT g, b, t, a, k, ''
FROM unnest(%s::smallint[], %s::int[], %s::bigint[], %s::bigint[], %s::text[]) x(g, b, t, a, k) ORDER BY g, b, t, a, k ON CONFLICT DO NOTHING"""
SKETCHES = """SELECT s.grain, s.bucket, s.tool_id, s.agent_id, s.kind, s.bins
FROM unnest(%s::smallint[], %s::int[], %s::bigint[], %s::bigint[], %s::text[]) x(g, b, t, a, k)
JOIN telemetry_sketch s ON (s.grain, s.bucket, s.tool_id, s.agent_id, s.kind) = (x.g, x.b, x.t, x.a, x.k)
ORDER BY s.grain, s.bucket, s.tool_id, s.agent_id, s.kind FOR UPDATE OF s"""
SKETCH = """UPDATE telemetry_sketch s SET bins = x.bins
FROM unnest(%s::smallint[], %s::int[], %s::bigint[], %s::bigint[], %s::text[], %s::bytea[]) x(g, b, t, a, k, bins)
WHERE (s.grain, s.bucket, s.tool_id, s.agent_id, s.kind) = (x.g, x.b, x.t, x.a, x.k)"""
LEDGER = """INSERT INTO telemetry_ledger AS l (key_id, minute, what, reason, n)
SELECT * FROM unnest(%s::bigint[], %s::int[], %s::text[], %s::text[], %s::bigint[]) t(key, minute, what, reason, n)
ORDER BY key, minute, what, reason ON CONFLICT (key_id, minute, what, reason) DO UPDATE SET n = l.n + excluded.n"""
USED = """UPDATE telemetry_agentkey SET last_used_at = %s WHERE id IN
(SELECT id FROM telemetry_agentkey WHERE id = ANY(%s::bigint[]) AND (last_used_at IS NULL OR last_used_at < %s)
ORDER BY id FOR UPDATE)"""
USED_EVERY = timedelta(seconds=1)  # the row is shared by every flush: it is not written more often than this


class PostgresStore:
    """Runs the statements on one cursor."""

    def __init__(self, cursor: CursorWrapper) -> None:
        self._cursor = cursor

    def known_words(
        self, tools: Mapping[int, str], series: Mapping[int, SeriesWords], *, at: datetime
    ) -> None:
        """Make sure the tools and series exist."""
        self._cursor.execute(TOOLS, _columns([(tool, tools[tool], at) for tool in sorted(tools)], 3))
        self._cursor.execute(SERIES, _columns([(key, *series[key]) for key in sorted(series)], 8))

    def known_causes(self, causes: Sequence[CauseRow]) -> None:
        """Make sure the fingerprints exist."""
        self._cursor.execute(CAUSES, _columns(causes, 7))

    def contexts(self, rows: Sequence[ContextRow]) -> None:
        """Keep what spans say about the calls beneath them."""
        self._cursor.execute(CONTEXTS, _columns(rows, 10))

    def claim(self, keys: Sequence[KeyRow]) -> set[int]:
        """Insert the keys that are new and give the ids of their calls."""
        self._cursor.execute(CLAIM, _columns(keys, 4))
        return {call for (call,) in self._cursor.fetchall()}

    def claimed(self, keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], tuple[int, int]]:
        """Lock keys that exist and give their (call, rev)."""
        self._cursor.execute(CLAIMED, _columns(keys, 2))
        return {(agent, call_id): (call, rev) for agent, call_id, call, rev in self._cursor.fetchall()}

    def stored(self, calls: Sequence[int]) -> dict[int, StoredRow]:
        """Give stored calls as they were counted."""
        self._cursor.execute(STORED, [list(calls)])
        return {row[0]: StoredRow(row[0], tuple(row[1:8]), *row[8:]) for row in self._cursor.fetchall()}

    def insert(self, rows: Sequence[CallRow]) -> None:
        """Insert calls whose keys were claimed."""
        driver = cast("psycopg.Cursor[Any]", self._cursor.cursor)
        with driver.copy(INSERT) as copy:
            for row in rows:
                copy.write_row(row.columns(row.started_at))

    def replace(self, rows: Sequence[tuple[int, CallRow]]) -> None:
        """Overwrite calls and raise the rev of their keys."""
        self._cursor.executemany(
            REPLACE, [(row.series, *row.changing(row.started_at), row.id) for _, row in rows]
        )
        self._cursor.executemany(RAISE_REV, [(row.rev, agent, row.call_id) for agent, row in rows])

    def roll_up(self, rows: Iterable[RollupRow]) -> None:
        """Add to the counters."""
        self._cursor.execute(ROLL_UP, _columns(list(rows), 9))

    def sketch(self, changes: Mapping[SketchKey, int]) -> None:
        """Add to the latency sketches: make the rows, lock them, merge, write."""
        keys = _columns(list(changes), 5)
        self._cursor.execute(SKETCHES_ARE, keys)
        self._cursor.execute(SKETCHES, keys)
        before = {tuple(row[:5]): unpack(row[5]) for row in self._cursor.fetchall()}
        rows = [(*key, pack(before.get(key, EMPTY) + more)) for key, more in changes.items()]
        self._cursor.execute(SKETCH, _columns(rows, 6))

    def account(self, rows: Sequence[LedgerRow], *, at: datetime) -> None:
        """Add to the ledger and note that the keys were used."""
        self._cursor.execute(LEDGER, _columns(rows, 5))
        self._cursor.execute(USED, [at, sorted({row[0] for row in rows}), at - USED_EVERY])


def _columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    """Turn rows into the arrays that unnest takes."""
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]
