"""The hot path's statements for PostgreSQL. Every statement touches rows in key order, so flushes cannot deadlock."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar, cast

import orjson
import psycopg
from django.db import IntegrityError
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

TOOLS = """INSERT INTO telemetry_tool (id, name, first_seen_at)
SELECT (e->>0)::bigint, e->>1, (e->>2)::timestamptz FROM json_array_elements(%s::json) WITH ORDINALITY x(e, place) ORDER BY place ON CONFLICT DO NOTHING"""
SERIES = """INSERT INTO telemetry_series (id, kind, agent_id, tool_id, failure_class, code, outcome, recovered_by)
SELECT (e->>0)::bigint, e->>1, (e->>2)::bigint, (e->>3)::bigint, e->>4, e->>5, e->>6, e->>7
FROM json_array_elements(%s::json) WITH ORDINALITY x(e, place) ORDER BY place ON CONFLICT DO NOTHING"""
CAUSES = """INSERT INTO telemetry_fingerprint
(id, tool_id, failure_class, code, template, first_seen_at, first_call)
SELECT (e->>0)::bigint, (e->>1)::bigint, e->>2, e->>3, e->>4, (e->>5)::timestamptz, (e->>6)::bigint
FROM json_array_elements(%s::json) WITH ORDINALITY x(e, place) ORDER BY place ON CONFLICT DO NOTHING"""
CONTEXTS = """INSERT INTO telemetry_spancontext
(agent_id, trace_id, span_id, parent_id, session_id, agent_name, tool, is_mcp, call_id, minute, failed)
SELECT (e->>0)::bigint, e->>1, e->>2, e->>3, e->>4, e->>5, e->>6, (e->>7)::bool, e->>8, (e->>9)::int, e->>10
FROM json_array_elements(%s::json) WITH ORDINALITY x(e, place) ORDER BY place ON CONFLICT (agent_id, trace_id, span_id) DO UPDATE SET
parent_id = excluded.parent_id, session_id = excluded.session_id, agent_name = excluded.agent_name,
tool = excluded.tool, is_mcp = excluded.is_mcp, call_id = excluded.call_id, minute = excluded.minute,
failed = excluded.failed"""
# Rows from which COPY into a savepoint costs less than an INSERT that looks for rows which are there already.
COPIED_FROM = 40
COPY_CONTEXTS = """COPY telemetry_spancontext
(agent_id, trace_id, span_id, parent_id, session_id, agent_name, tool, is_mcp, call_id, minute, failed) FROM STDIN"""
COPY_KEYS = "COPY telemetry_callkey (agent_id, call_id, call, rev) FROM STDIN"
CLAIM = """INSERT INTO telemetry_callkey (agent_id, call_id, call, rev)
SELECT (e->>0)::bigint, e->>1, (e->>2)::bigint, (e->>3)::int
FROM json_array_elements(%s::json) WITH ORDINALITY x(e, place) ORDER BY place ON CONFLICT (agent_id, call_id) DO NOTHING"""
CLAIMED = """SELECT k.agent_id, k.call_id, k.call, k.rev FROM json_array_elements(%s::json) e
JOIN telemetry_callkey k ON k.agent_id = (e->>0)::bigint AND k.call_id = e->>1
ORDER BY k.agent_id, k.call_id FOR UPDATE OF k"""
MESSAGES_UNDER = """SELECT c.trace_id, c.span_id, c.tool, c.parent_id, c.is_mcp, c.call_id, c.failed
FROM json_array_elements(%s::json) e JOIN telemetry_spancontext c
ON c.agent_id = %s AND c.is_mcp AND c.trace_id = e->>0 AND c.parent_id = e->>1 AND c.tool = e->>2"""
SPANS_AT = """SELECT c.trace_id, c.span_id, c.tool, c.parent_id, c.is_mcp, c.call_id, c.failed
FROM json_array_elements(%s::json) e JOIN telemetry_spancontext c
ON c.agent_id = %s AND c.trace_id = e->>0 AND c.span_id = e->>1"""
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
SELECT (e->>0)::bigint, (e->>1)::smallint, (e->>2)::int, (e->>3)::bigint, (e->>4)::bigint, (e->>5)::bigint, (e->>6)::bigint, (e->>7)::bigint, (e->>8)::bigint
FROM json_array_elements(%s::json) WITH ORDINALITY x(e, place) ORDER BY place ON CONFLICT (agent_id, grain, bucket, series_id) DO UPDATE SET n = r.n + excluded.n,
first_time = r.first_time + excluded.first_time, attempts = r.attempts + excluded.attempts,
duration_us = r.duration_us + excluded.duration_us, recovery_us = r.recovery_us + excluded.recovery_us"""
SKETCHES_ARE = """INSERT INTO telemetry_sketch (grain, bucket, tool_id, agent_id, kind, bins)
SELECT (e->>0)::smallint, (e->>1)::int, (e->>2)::bigint, (e->>3)::bigint, e->>4, ''
FROM json_array_elements(%s::json) WITH ORDINALITY x(e, place) ORDER BY place ON CONFLICT DO NOTHING"""
SKETCHES = """SELECT s.grain, s.bucket, s.tool_id, s.agent_id, s.kind, s.bins FROM json_array_elements(%s::json) e
JOIN telemetry_sketch s ON (s.grain, s.bucket, s.tool_id, s.agent_id, s.kind) =
((e->>0)::smallint, (e->>1)::int, (e->>2)::bigint, (e->>3)::bigint, e->>4)
ORDER BY s.grain, s.bucket, s.tool_id, s.agent_id, s.kind FOR UPDATE OF s"""
SKETCH = """UPDATE telemetry_sketch s SET bins = decode(e->>5, 'base64') FROM json_array_elements(%s::json) e
WHERE (s.grain, s.bucket, s.tool_id, s.agent_id, s.kind) =
((e->>0)::smallint, (e->>1)::int, (e->>2)::bigint, (e->>3)::bigint, e->>4)"""
PUT_OFF = "INSERT INTO telemetry_uncounted (tally) VALUES (%s)"
UNCOUNTED = """DELETE FROM telemetry_uncounted WHERE id IN (SELECT id FROM telemetry_uncounted ORDER BY id FOR UPDATE)
RETURNING tally"""
LEDGER = """INSERT INTO telemetry_ledger AS l (key_id, minute, what, reason, n)
SELECT (e->>0)::bigint, (e->>1)::int, e->>2, e->>3, (e->>4)::bigint
FROM json_array_elements(%s::json) WITH ORDINALITY x(e, place) ORDER BY place ON CONFLICT (key_id, minute, what, reason) DO UPDATE SET n = l.n + excluded.n"""
USED = """UPDATE telemetry_agentkey SET last_used_at = %s WHERE id IN
(SELECT id FROM telemetry_agentkey WHERE id = ANY(%s::bigint[]) AND (last_used_at IS NULL OR last_used_at < %s)
ORDER BY id FOR UPDATE)"""
_ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
Row = TypeVar("Row", KeyRow, ContextRow)
USED_EVERY = timedelta(seconds=1)  # the row is shared by every flush: it is not written more often than this


class PostgresStore:
    """Runs the statements on one cursor."""

    def __init__(self, cursor: CursorWrapper) -> None:
        self._cursor = cursor

    def known_words(
        self, tools: Mapping[int, str], series: Mapping[int, SeriesWords], *, at: datetime
    ) -> None:
        """Make sure the tools and series exist."""
        self._cursor.execute(TOOLS, [_json([(tool, tools[tool], at) for tool in sorted(tools)])])
        self._cursor.execute(SERIES, [_json([(key, *series[key]) for key in sorted(series)])])

    def known_causes(self, causes: Sequence[CauseRow]) -> None:
        """Make sure the fingerprints exist."""
        self._cursor.execute(CAUSES, [_json(causes)])

    def contexts(self, rows: Sequence[ContextRow]) -> None:
        """Keep what spans say about the calls beneath them."""
        if not self._copied(COPY_CONTEXTS, rows, _context):
            self._cursor.execute(CONTEXTS, [_json(rows)])

    def claim(self, keys: Sequence[KeyRow]) -> set[int]:
        """Insert the keys that are new and give the ids of their calls."""
        calls = {key[2] for key in keys}
        if self._copied(COPY_KEYS, keys, _key):
            return calls
        self._cursor.execute(CLAIM, [_json(keys)])
        if self._cursor.rowcount == len(keys):
            return calls
        there = self.claimed([key[:2] for key in keys])
        return calls.intersection([call for call, _ in there.values()])

    def claimed(self, keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], tuple[int, int]]:
        """Lock keys that exist and give their (call, rev)."""
        self._cursor.execute(CLAIMED, [_json(keys)])
        return {(agent, call_id): (call, rev) for agent, call_id, call, rev in self._cursor.fetchall()}

    def messages_under(self, agent_id: int, places: Sequence[PlaceOfTool]) -> list[ToolSpan]:
        """Give the messages of MCP right under these spans, of the same tool."""
        return self._tool_spans(MESSAGES_UNDER, agent_id, places)

    def spans_at(self, agent_id: int, places: Sequence[Place]) -> list[ToolSpan]:
        """Give the spans at these places."""
        return self._tool_spans(SPANS_AT, agent_id, places)

    def _tool_spans(self, statement: str, agent_id: int, places: Sequence[Any]) -> list[ToolSpan]:
        self._cursor.execute(statement, [_json(places), agent_id])
        return [ToolSpan(*row) for row in self._cursor.fetchall()]

    def stored(self, calls: Sequence[int]) -> dict[int, StoredRow]:
        """Give stored calls as they were counted."""
        self._cursor.execute(STORED, [list(calls)])
        return {row[0]: StoredRow(row[0], tuple(row[1:8]), *row[8:]) for row in self._cursor.fetchall()}

    def insert(self, rows: Sequence[CallRow]) -> None:
        """Insert calls whose keys were claimed."""
        if rows:
            self._copy(INSERT, _lines(rows))

    def _copied(self, statement: str, rows: Sequence[Row], line: Callable[[Row], str]) -> bool:
        """Write rows that are nearly always new; say no, and leave nothing, where one of many is there already."""
        if len(rows) < COPIED_FROM:
            return False
        self._cursor.execute("SAVEPOINT copied")
        try:
            self._copy(statement, "".join(map(line, rows)).encode())
        except IntegrityError:
            self._cursor.execute("ROLLBACK TO SAVEPOINT copied")
            return False
        self._cursor.execute("RELEASE SAVEPOINT copied")
        return True

    def _copy(self, statement: str, lines: bytes) -> None:
        driver = cast("psycopg.Cursor[Any]", self._cursor.cursor)
        with self._cursor.db.wrap_database_errors, driver.copy(statement) as copy:
            copy.write(lines)

    def replace(self, rows: Sequence[tuple[int, CallRow]]) -> None:
        """Overwrite calls and raise the rev of their keys."""
        self._cursor.executemany(
            REPLACE, [(row.series, *row.changing(row.started_at), row.id) for _, row in rows]
        )
        self._cursor.executemany(RAISE_REV, [(row.rev, agent, row.call_id) for agent, row in rows])

    def roll_up(self, rows: Iterable[RollupRow]) -> None:
        """Add to the counters."""
        self._cursor.execute(ROLL_UP, [_json(list(rows))])

    def sketch(self, changes: Mapping[SketchKey, int]) -> None:
        """Add to the latency sketches: make the rows, lock them, merge, write."""
        keys = [_json(list(changes))]
        self._cursor.execute(SKETCHES_ARE, keys)
        self._cursor.execute(SKETCHES, keys)
        before = {tuple(row[:5]): unpack(row[5]) for row in self._cursor.fetchall()}
        rows = [
            (*key, b64encode(pack(before.get(key, EMPTY) + more)).decode()) for key, more in changes.items()
        ]
        self._cursor.execute(SKETCH, [_json(rows)])

    def put_off(self, tally: bytes) -> None:
        """Keep what is to be added to the counters later."""
        self._cursor.execute(PUT_OFF, [tally])

    def take_uncounted(self) -> list[bytes]:
        """Give what was put off by anybody, and forget it."""
        self._cursor.execute(UNCOUNTED)
        return [bytes(tally) for (tally,) in self._cursor.fetchall()]

    def account(self, rows: Sequence[LedgerRow]) -> None:
        """Add to the ledger."""
        self._cursor.execute(LEDGER, [_json(rows)])

    def used(self, keys: Sequence[int], *, at: datetime) -> None:
        """Note that keys were used."""
        self._cursor.execute(USED, [at, list(keys), at - USED_EVERY])


def _lines(rows: Sequence[CallRow]) -> bytes:
    """Write calls as COPY's text has them; the driver would ask for the type of each value."""
    parts: list[bytes] = []
    for row, started_at in zip(rows, times_of(rows), strict=True):
        id_, series, call_id, rev, trace_id, bucket, _, took, tries, saved, cause, detail = row
        head = f"{id_}\t{series}\t{_escaped(call_id)}\t{rev}\t{_escaped(trace_id)}\t{bucket}\t{started_at}"
        # JSON escapes what ends a column or a line; its own backslashes are all that is left
        parts += (
            f"{head}\t{took}\t{tries}\t{saved}\t{cause}\t".encode(),
            detail.replace(b"\\", b"\\\\"),
            b"\n",
        )
    return b"".join(parts)


def _key(row: KeyRow) -> str:
    agent, call_id, call, rev = row
    return f"{agent}\t{_escaped(call_id)}\t{call}\t{rev}\n"


def _context(row: ContextRow) -> str:
    agent, *words, is_mcp, call_id, minute, failed = row
    head = f"{agent}\t{chr(9).join(map(_escaped, words))}\t{is_mcp}"
    return f"{head}\t{_escaped(call_id)}\t{minute}\t{_escaped(failed)}\n"


def _escaped(text: str) -> str:
    return text if text.isprintable() and "\\" not in text else text.translate(_ESCAPES)


def _json(rows: Sequence[Any]) -> str:
    """Write rows as one parameter: the server reads JSON faster than the driver writes arrays."""
    return orjson.dumps(rows).decode()
