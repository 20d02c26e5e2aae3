"""Reads about tools, and the page of one."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from telemetry.domain.buckets import Cut, cut
from telemetry.domain.sketch import EMPTY
from telemetry.domain.tally import ALL_AGENTS, CALL
from telemetry.models import Tool
from telemetry.queries import rollups
from telemetry.queries.calls import CallFilter, calls
from telemetry.queries.causes import top_causes
from telemetry.queries.guards import guards
from telemetry.queries.overview import (
    failure_series,
    latency,
    of_period,
    rates,
    recovered_by,
    span,
    totals,
)
from telemetry.queries.rollups import BEFORE, NOW, SketchRow, WordSum
from telemetry.queries.shapes import CodeCount, Latency, ToolPage
from telemetry.vocabulary import FailureClass, Window

RECENT = 20


def tool_page(*, name: str, window: Window, at: datetime, agent_id: int | None = None) -> ToolPage | None:
    """Give one tool in full, or None where no tool of that name was ever called."""
    tool = Tool.objects.filter(name=name).first()
    if tool is None:
        return None
    shape = cut(window, at=at)
    agent = agent_id or ALL_AGENTS
    sums = rollups.by_words([shape, shape.before], agent_id=agent, tool_id=tool.pk)
    steps = rollups.by_step(shape, agent_id=agent, tool_id=tool.pk)
    sketches = rollups.sketches([shape], agent_id=agent, tool_id=tool.pk)
    now = of_period(sums, NOW)
    recent = calls(filters=CallFilter(tool=name, failed=True, agent_id=agent_id), limit=RECENT)
    return ToolPage(
        name=tool.name,
        first_seen_at=tool.first_seen_at,
        not_found_is_empty=tool.not_found_is_empty,
        span=span(window, shape),
        totals=totals(now),
        before=totals(of_period(sums, BEFORE)),
        latency=latency(rollups.together(row for row in sketches if row.kind == CALL)),
        latency_series=_latencies(rollups.latency_steps(shape, agent_id=agent, tool_id=tool.pk), shape),
        failures=failure_series(steps, shape),
        in_the_end=rates(steps, shape, "in_the_end"),
        codes=_codes(now),
        causes=top_causes(shape, agent_id=agent_id, tool_id=tool.pk),
        recovered_by=recovered_by(now, sketches),
        recent_failures=recent.rows,
        breakers=guards(name),
    )


def not_found_overrides() -> dict[str, bool]:
    """Give the tools of which a person has said whether "not found" is an empty answer."""
    said = Tool.objects.filter(not_found_is_empty__isnull=False).values_list("name", "not_found_is_empty")
    return {name: bool(word) for name, word in said}


def _latencies(rows: Sequence[SketchRow], shape: Cut) -> tuple[Latency, ...]:
    sketches = [EMPTY] * shape.steps
    for row in rows:
        sketches[(row.minute - shape.start) // shape.step] += row.sketch
    return tuple(latency(sketch) for sketch in sketches)


def _codes(sums: Sequence[WordSum]) -> tuple[CodeCount, ...]:
    found: Counter[tuple[str, str]] = Counter()
    for row in sums:
        if row.failure_class:
            found[row.failure_class, row.code] += row.n
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(CodeCount(FailureClass(name), code, n) for (name, code), n in ordered if n)
