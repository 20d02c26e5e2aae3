"""The hot path's statements for SQLite. The transaction holds the one write lock, so nothing here locks rows."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import orjson
from django.db.backends.utils import CursorWrapper

from telemetry.domain.sketch import EMPTY, pack, unpack
from telemetry.domain.tally import RollupRow, SeriesWords, SketchKey
from telemetry.operations.rows import CallRow, CauseRow, ContextRow, KeyRow, LedgerRow, StoredRow

TOOLS = "INSERT INTO telemetry_tool (id, name, first_seen_at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
SERIES = """INSERT INTO telemetry_series (id, kind, agent_id, tool_id, failure_class, code, outcome, recovered_by)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""
CAUSES = """INSERT INTO telemetry_fingerprint
(id, tool_id, failure_class, code, template, first_seen_at, first_call) VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING"""
CONTEXTS = """INSERT INTO telemetry_spancontext
(agent_id, trace_id, span_id, parent_id, session_id, agent_name, tool, is_mcp, call_id, minute)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (agent_id, trace_id, span_id) DO UPDATE SET
parent_id = excluded.parent_id, session_id = excluded.session_id, agent_name = excluded.agent_name,
tool = excluded.tool, is_mcp = excluded.is_mcp, call_id = excluded.call_id, minute = excluded.minute"""
CLAIM = """INSERT INTO telemetry_callkey (agent_id, call_id, call, rev)
SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each(%s) WHERE true
ON CONFLICT (agent_id, call_id) DO NOTHING RETURNING call"""
CLAIMED = """SELECT k.agent_id, k.call_id, k.call, k.rev FROM json_each(%s) e
JOIN telemetry_callkey k ON k.agent_id = e.value->>0 AND k.call_id = e.value->>1"""
STORED = """SELECT c.id, s.kind, s.agent_id, s.tool_id, s.failure_class, s.code, s.outcome, s.recovered_by,
c.bucket, c.duration_us, c.attempts, c.recovery_us, c.fingerprint, c.detail
FROM json_each(%s) e JOIN telemetry_call c ON c.id = e.value JOIN telemetry_series s ON s.id = c.series_id"""
INSERT = """INSERT INTO telemetry_call
(id, series_id, call_id, rev, trace_id, bucket, started_at, duration_us, attempts, recovery_us, fingerprint, detail)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
REPLACE = """UPDATE telemetry_call SET series_id = %s, rev = %s, trace_id = %s, bucket = %s, started_at = %s,
duration_us = %s, attempts = %s, recovery_us = %s, fingerprint = %s, detail = %s WHERE id = %s"""
RAISE_REV = "UPDATE telemetry_callkey SET rev = %s WHERE agent_id = %s AND call_id = %s"
ROLL_UP = """INSERT INTO telemetry_rollup
(agent_id, grain, bucket, series_id, n, first_time, attempts, duration_us, recovery_us)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (agent_id, grain, bucket, series_id) DO UPDATE SET n = n + excluded.n, first_time = first_time + excluded.first_time,
attempts = attempts + excluded.attempts, duration_us = duration_us + excluded.duration_us,
recovery_us = recovery_us + excluded.recovery_us"""
SKETCHES = """SELECT s.grain, s.bucket, s.tool_id, s.agent_id, s.kind, s.bins FROM json_each(%s) e
JOIN telemetry_sketch s ON s.grain = e.value->>0 AND s.bucket = e.value->>1 AND s.tool_id = e.value->>2
AND s.agent_id = e.value->>3 AND s.kind = e.value->>4"""
SKETCH = """INSERT INTO telemetry_sketch (grain, bucket, tool_id, agent_id, kind, bins) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (grain, bucket, tool_id, agent_id, kind) DO UPDATE SET bins = excluded.bins"""
LEDGER = """INSERT INTO telemetry_ledger (key_id, minute, what, reason, n) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (key_id, minute, what, reason) DO UPDATE SET n = n + excluded.n"""
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
        self._cursor.executemany(TOOLS, [(tool, tools[tool], seen) for tool in sorted(tools)])
        self._cursor.executemany(SERIES, [(key, *series[key]) for key in sorted(series)])

    def known_causes(self, causes: Sequence[CauseRow]) -> None:
        """Make sure the fingerprints exist."""
        self._cursor.executemany(CAUSES, [(*row[:5], _time(row[5]), row[6]) for row in causes])

    def contexts(self, rows: Sequence[ContextRow]) -> None:
        """Keep what spans say about the calls beneath them."""
        self._cursor.executemany(CONTEXTS, rows)

    def claim(self, keys: Sequence[KeyRow]) -> set[int]:
        """Insert the keys that are new and give the ids of their calls."""
        self._cursor.execute(CLAIM, [_json(keys)])
        return {call for (call,) in self._cursor.fetchall()}

    def claimed(self, keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], tuple[int, int]]:
        """Give (call, rev) of keys that exist."""
        self._cursor.execute(CLAIMED, [_json(keys)])
        return {(agent, call_id): (call, rev) for agent, call_id, call, rev in self._cursor.fetchall()}

    def stored(self, calls: Sequence[int]) -> dict[int, StoredRow]:
        """Give stored calls as they were counted."""
        self._cursor.execute(STORED, [_json(calls)])
        return {row[0]: StoredRow(row[0], tuple(row[1:8]), *row[8:]) for row in self._cursor.fetchall()}

    def insert(self, rows: Sequence[CallRow]) -> None:
        """Insert calls whose keys were claimed."""
        self._cursor.executemany(INSERT, [row.columns(_time(row.started_at)) for row in rows])

    def replace(self, rows: Sequence[tuple[int, CallRow]]) -> None:
        """Overwrite calls and raise the rev of their keys."""
        self._cursor.executemany(
            REPLACE, [(row.series, *row.changing(_time(row.started_at)), row.id) for _, row in rows]
        )
        self._cursor.executemany(RAISE_REV, [(row.rev, agent, row.call_id) for agent, row in rows])

    def roll_up(self, rows: Iterable[RollupRow]) -> None:
        """Add to the counters."""
        self._cursor.executemany(ROLL_UP, list(rows))

    def sketch(self, changes: Mapping[SketchKey, int]) -> None:
        """Add to the latency sketches."""
        self._cursor.execute(SKETCHES, [_json(list(changes))])
        before = {tuple(row[:5]): unpack(row[5]) for row in self._cursor.fetchall()}
        rows = [(*key, pack(before.get(key, EMPTY) + more)) for key, more in changes.items()]
        self._cursor.executemany(SKETCH, rows)

    def account(self, rows: Sequence[LedgerRow], *, at: datetime) -> None:
        """Add to the ledger and note that the keys were used."""
        self._cursor.executemany(LEDGER, rows)
        used = _time(at)
        self._cursor.executemany(USED, [(used, key, used) for key in sorted({row[0] for row in rows})])


def _time(at: datetime) -> str:
    """Write a time in UTC as Django's own columns have it."""
    return str(at.replace(tzinfo=None))


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
