"""The statements that read counters: sums over a window, per step of a window, and latencies.

A window is covered by the fewest buckets (`domain.buckets.cover`), so what is read grows with the window and with the
number of series, never with the number of stored calls.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from telemetry.domain.buckets import AGENT_SKETCH_GRAINS, SKETCH_GRAINS, Cut, cover
from telemetry.domain.sketch import merged, unpack
from telemetry.domain.tally import ALL_AGENTS, EVERYTHING, FAILED
from telemetry.models import Series

NOW, BEFORE = 0, 1  # which period a row belongs to

_ROWS = """SELECT {period} AS period, series_id, n, first_time, attempts, duration_us, recovery_us
FROM telemetry_rollup r WHERE {where}"""
# Added up by series first: then few rows meet their words.
_BY_WORDS = """SELECT r.period, t.name, s.failure_class, s.code, s.outcome, s.recovered_by,
r.n, r.first_time, r.attempts, r.recovery_us
FROM (SELECT period, series_id, SUM(n) AS n, SUM(first_time) AS first_time, SUM(attempts) AS attempts,
SUM(recovery_us) AS recovery_us FROM ({rows}) x GROUP BY period, series_id) r
JOIN telemetry_series s ON s.id = r.series_id JOIN telemetry_tool t ON t.id = s.tool_id
WHERE s.kind = 'o'"""
_BY_CAUSE = """SELECT r.period, s.tool_id, s.code, SUM(r.n)
FROM ({rows}) r JOIN telemetry_series s ON s.id = r.series_id
WHERE s.kind = 'f' GROUP BY r.period, s.tool_id, s.code"""
_CAUSE_STEPS = """SELECT r.agent_id, (r.bucket * r.grain - %s) / %s, SUM(r.n)
FROM telemetry_rollup r JOIN telemetry_series s ON s.id = r.series_id AND s.agent_id = r.agent_id
WHERE s.kind = 'f' AND s.code = %s AND r.grain = %s AND r.bucket >= %s AND r.bucket < %s
GROUP BY r.agent_id, (r.bucket * r.grain - %s) / %s"""
_BY_STEP = """SELECT (r.bucket * r.grain - %s) / %s AS step,
CASE s.kind WHEN 's' THEN 'o' WHEN 't' THEN 'a' ELSE s.kind END, s.failure_class, SUM(r.n),
SUM(CASE WHEN s.outcome IN ('deferred', 'skipped') THEN 0 ELSE r.n END),
SUM(CASE WHEN s.outcome IN ('succeeded', 'recovered', 'degraded') THEN r.n ELSE 0 END),
SUM(CASE WHEN s.outcome = 'escalated' OR s.recovered_by = 'human' THEN r.n ELSE 0 END)
FROM telemetry_rollup r JOIN telemetry_series s ON s.id = r.series_id
WHERE {where} AND s.kind <> 'f'
GROUP BY (r.bucket * r.grain - %s) / %s, s.kind, s.failure_class"""
_POINTS = """SELECT t.name, (r.bucket * r.grain - %s) / %s AS step, SUM(r.n)
FROM telemetry_rollup r JOIN telemetry_series s ON s.id = r.series_id JOIN telemetry_tool t ON t.id = s.tool_id
WHERE r.agent_id = %s AND r.grain = %s AND r.bucket >= %s AND r.bucket < %s
AND (s.kind = 'u' OR (s.kind = 'o' AND s.failure_class <> '')) GROUP BY t.name, (r.bucket * r.grain - %s) / %s"""
_SKETCHES = """SELECT {period} AS period, k.tool_id, k.kind, k.bucket * k.grain, k.bins FROM telemetry_sketch k
WHERE k.grain = %s AND k.bucket >= %s AND k.bucket < %s AND k.agent_id = %s {more}"""
# A stretch of the counters' key, whole or of one tool: then picked out before its rows meet their words.
_STRETCH = "r.agent_id = %s AND r.grain = %s AND r.bucket >= %s AND r.bucket < %s"
_OF_TOOL = " AND r.series_id IN (SELECT id FROM telemetry_series WHERE tool_id = %s)"
# Series of a tool up to which each counter is looked up by its whole key, past those of all other tools.
_FEW = 100


@dataclass(frozen=True, slots=True)
class WordSum:
    """Operations of one tool, class, code, outcome and recoverer in one period."""

    period: int
    tool: str
    failure_class: str
    code: str
    outcome: str
    recovered_by: str
    n: int
    first_time: int
    attempts: int
    recovery_us: int


@dataclass(frozen=True, slots=True)
class StepSum:
    """What is counted under one class in one step of a window. `kind` is `o` or `a`, as in `Series`."""

    step: int
    kind: str
    failure_class: str
    n: int
    counted: int
    in_the_end: int
    person: int


@dataclass(frozen=True, slots=True)
class SketchRow:
    """One stored sketch; `minute` is where its bucket begins."""

    period: int
    tool_id: int
    kind: str
    minute: int
    sketch: int


def by_words(periods: Sequence[Cut], *, agent_id: int, tool_id: int | None = None) -> tuple[WordSum, ...]:
    """Give the sums of some periods, each by its place in `periods`."""
    rows, params = _periods(periods, agent_id, tool_id, kind="o")
    found = _all(_BY_WORDS.format(rows=rows), params)
    return tuple(WordSum(*row[:6], *map(int, row[6:])) for row in found)


def by_cause(period: Cut, *, agent_id: int, tool_id: int | None = None) -> dict[int, int]:
    """Give how many operations each fingerprint has failed in a period."""
    rows, params = _periods([period], agent_id, tool_id, kind="f")
    found = _all(_BY_CAUSE.format(rows=rows), params)
    return {int(code, 16): int(n) for _, _, code, n in found if n}


def _periods(
    periods: Sequence[Cut], agent_id: int, tool_id: int | None, *, kind: str
) -> tuple[str, list[int]]:
    rows, params = [], list[int]()
    where = _Where(agent_id, tool_id, kinds=[kind])
    for place, period in enumerate(periods):
        for grain, first, last in cover(period.start, period.end):
            sql, its = where.stretch(grain, first, last)
            rows.append(_ROWS.format(period=place, where=sql))
            params += its
    return " UNION ALL ".join(rows), params


class _Where:
    """Which counters are read: an agent's, or a tool's among them."""

    def __init__(self, agent_id: int, tool_id: int | None, *, kinds: Sequence[str]) -> None:
        self._agent_id, self._tool_id = agent_id, tool_id
        self._few: list[int] = []
        if tool_id is not None:
            theirs = Series.objects.filter(kind__in=kinds, agent_id=agent_id, tool_id=tool_id)
            some = list(theirs.values_list("pk", flat=True)[: _FEW + 1])
            self._few = some if len(some) <= _FEW else []

    def stretch(self, grain: int, first: int, last: int) -> tuple[str, list[int]]:
        """Give the condition for some buckets, and its parameters."""
        if self._tool_id is None:
            return _STRETCH, [self._agent_id, grain, first, last]
        if not self._few:
            return _STRETCH + _OF_TOOL, [self._agent_id, grain, first, last, self._tool_id]
        buckets, series = (", ".join(["%s"] * n) for n in (last - first, len(self._few)))
        sql = f"r.agent_id = %s AND r.grain = %s AND r.bucket IN ({buckets}) AND r.series_id IN ({series})"
        return sql, [self._agent_id, grain, *range(first, last), *self._few]


def by_step(period: Cut, *, agent_id: int, tool_id: int | None = None) -> tuple[StepSum, ...]:
    """Give the sums of each step of a period; those over everything are kept, the others are added up here."""
    step = [period.start, period.step]
    whose = EVERYTHING if agent_id == ALL_AGENTS and tool_id is None else agent_id
    where = _Where(whose, tool_id, kinds=["o", "a"])
    sql, params = where.stretch(period.grain, period.start // period.grain, period.end // period.grain)
    return tuple(
        StepSum(int(row[0]), row[1], row[2], *map(int, row[3:]))
        for row in _all(_BY_STEP.format(where=sql), [*step, *params, *step])
    )


def cause_steps(period: Cut, *, cause: int) -> tuple[tuple[int, int, int], ...]:
    """Give how often a cause was met: (agent, step of the period, operations); agent 0 is all of them."""
    step = [period.start, period.step]
    where = [period.grain, period.start // period.grain, period.end // period.grain]
    found = _all(_CAUSE_STEPS, [*step, f"{cause:016x}", *where, *step])
    return tuple((int(agent), int(place), int(n)) for agent, place, n in found)


def points(period: Cut, *, agent_id: int) -> dict[str, tuple[int, ...]]:
    """Give each tool's failures per step of a period."""
    step = [period.start, period.step]
    where = [
        FAILED if agent_id == ALL_AGENTS else agent_id,
        period.grain,
        period.start // period.grain,
        period.end // period.grain,
    ]
    counts: dict[str, list[int]] = {}
    for tool, place, n in _all(_POINTS, [*step, *where, *step]):
        counts.setdefault(tool, [0] * period.steps)[int(place)] += int(n)
    return {tool: tuple(numbers) for tool, numbers in counts.items()}


def sketches(periods: Sequence[Cut], *, agent_id: int, tool_id: int | None = None) -> list[SketchRow]:
    """Give one sketch for each kind of each tool in some periods, each from where its period begins.

    Of the later periods only recovery, as no page compares latencies of calls.
    """
    rows: list[str] = []
    params: list[int] = []
    for place, period in enumerate(periods):
        more = "AND k.tool_id = %s " if tool_id is not None else ""
        more += "AND k.kind <> 'call'" if place == BEFORE else ""
        for grain, first, last in cover(period.start, period.end, _grains(agent_id)):
            rows.append(_SKETCHES.format(period=place, more=more))
            params += [grain, first, last, agent_id, *([tool_id] if tool_id is not None else [])]
    found: dict[tuple[int, int, str], list[bytes]] = {}
    for place, tool, kind, _, bins in _all(" UNION ALL ".join(rows), params):
        found.setdefault((place, tool, kind), []).append(bins)
    return [SketchRow(*key, periods[key[0]].start, merged(stored)) for key, stored in found.items()]


def latency_steps(period: Cut, *, agent_id: int, tool_id: int) -> list[SketchRow]:
    """Give the sketches of a tool's calls from the coarsest buckets that lie within the steps of a period."""
    fitting = (grain for grain in _grains(agent_id) if period.step % grain == 0 and period.start % grain == 0)
    grain = max(fitting)
    statement = _SKETCHES.format(period=NOW, more="AND k.kind = 'call' AND k.tool_id = %s")
    rows = _all(statement, [grain, period.start // grain, period.end // grain, agent_id, tool_id])
    return [SketchRow(place, tool, kind, minute, unpack(bins)) for place, tool, kind, minute, bins in rows]


def together(rows: Iterable[SketchRow]) -> int:
    """Merge sketches."""
    return sum(row.sketch for row in rows)


def _grains(agent_id: int) -> tuple[int, ...]:
    return SKETCH_GRAINS if agent_id == ALL_AGENTS else AGENT_SKETCH_GRAINS


def _all(statement: str, params: Sequence[int | str]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return list(cursor.fetchall())
