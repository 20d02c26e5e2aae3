"""What the first page and the table of tools say about calls, from counters alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Max

from telemetry.domain.buckets import Cut, cut
from telemetry.domain.ids import received_at
from telemetry.domain.sketch import quantile, summary
from telemetry.domain.tally import ALL_AGENTS, CALL
from telemetry.models import AgentKey, Call, Tool
from telemetry.queries import rollups
from telemetry.queries.rollups import BEFORE, NOW, SketchRow, StepSum, WordSum
from telemetry.queries.shapes import (
    FailureSeries,
    Latency,
    Overview,
    Rate,
    RecoveredShare,
    Recovery,
    Span,
    ToolRow,
    Totals,
)
from telemetry.vocabulary import IN_THE_END, NOT_COUNTED, FailureClass, Outcome, RecoveredBy, Window

_ENDED = frozenset(str(outcome) for outcome in IN_THE_END)
_UNCOUNTED = frozenset(str(outcome) for outcome in NOT_COUNTED)


def overview(*, window: Window, at: datetime, agent_id: int | None = None) -> Overview:
    """Give what the first page says, for all agents or one: six statements, whatever is stored."""
    shape = cut(window, at=at)
    agent = agent_id or ALL_AGENTS
    sums = rollups.by_words([shape, shape.before], agent_id=agent)
    steps = rollups.by_step(shape, agent_id=agent)
    earlier = rollups.by_step(shape.before, agent_id=agent)
    latencies = rollups.sketches([shape, shape.before], agent_id=agent)
    now, before = of_period(sums, NOW), of_period(sums, BEFORE)
    return Overview(
        span=span(window, shape),
        at=at,
        totals=totals(now),
        before=totals(before),
        recovery=recovery(now, [row for row in latencies if row.period == NOW]),
        recovery_before=recovery(before, [row for row in latencies if row.period == BEFORE]),
        recovered_by=recovered_by(now, [row for row in latencies if row.period == NOW]),
        failures=failure_series(steps, shape),
        failures_before=per_step(earlier, shape, "n", failed=True),
        person=person_rates(steps, shape),
        person_before=person_rates(earlier, shape),
        tools=_tools(now, before, latencies, rollups.points(shape, agent_id=agent)),
        last_call_at=_last_call_at(agent_id),
    )


def tools(*, window: Window, at: datetime, agent_id: int | None = None) -> tuple[ToolRow, ...]:
    """Give the table of tools alone."""
    shape = cut(window, at=at)
    agent = agent_id or ALL_AGENTS
    sums = rollups.by_words([shape, shape.before], agent_id=agent)
    latencies = rollups.sketches([shape], agent_id=agent)
    points = rollups.points(shape, agent_id=agent)
    return _tools(of_period(sums, NOW), of_period(sums, BEFORE), latencies, points)


def span(window: Window, shape: Cut) -> Span:
    """Give the window as pages draw it."""
    starts = shape.starts()
    step = starts[1] - starts[0]
    return Span(window, starts[0], starts[-1] + step, int(step.total_seconds()), starts)


def of_period(sums: Iterable[WordSum], period: int) -> list[WordSum]:
    """Give the sums of one period."""
    return [row for row in sums if row.period == period]


def totals(sums: Sequence[WordSum]) -> Totals:
    """Add operations up into rates."""
    counted = [row for row in sums if row.outcome not in _UNCOUNTED]
    whole = sum(row.n for row in counted)
    failed = [row for row in counted if row.failure_class]
    failures = sum(row.n for row in failed)
    recovered = sum(row.n for row in failed if row.outcome == Outcome.RECOVERED)
    return Totals(
        calls=sum(row.n for row in sums),
        attempts=sum(row.attempts for row in sums),
        first_time=Rate(sum(row.first_time for row in counted), whole),
        in_the_end=Rate(sum(row.n for row in counted if row.outcome in _ENDED), whole),
        person=Rate(sum(row.n for row in counted if _person(row)), whole),
        failures=failures,
        recovered=Rate(recovered, failures),
    )


def recovery(sums: Sequence[WordSum], sketches: Sequence[SketchRow]) -> Recovery:
    """Say how long recovery took, whoever did it."""
    recovered = [row for row in sums if row.recovered_by]
    n = sum(row.n for row in recovered)
    mean = sum(row.recovery_us for row in recovered) / n / 1000 if n else None
    return Recovery(latency(rollups.together(row for row in sketches if row.kind != CALL)), mean)


def latency(sketch: int) -> Latency:
    """Give the percentiles of a sketch."""
    n, found = summary(sketch, 0.5, 0.95, 0.99)
    return Latency(n, *found)


def recovered_by(sums: Sequence[WordSum], sketches: Sequence[SketchRow]) -> tuple[RecoveredShare, ...]:
    """Say who turned failures round, and how many nobody did."""
    failed = [row for row in sums if row.failure_class and row.outcome not in _UNCOUNTED]
    whole = sum(row.n for row in failed)
    by: Counter[str] = Counter()
    for row in failed:
        by[row.recovered_by] += row.n
    took = {who: rollups.together(row for row in sketches if row.kind == who) for who in RecoveredBy}
    shares = [RecoveredShare(who, Rate(by[who], whole), quantile(took[who], 0.5)) for who in RecoveredBy]
    return (*shares, RecoveredShare(None, Rate(by[""], whole), None))


def failure_series(steps: Sequence[StepSum], shape: Cut) -> FailureSeries:
    """Give failed operations, failed attempts, and all operations per step."""
    return FailureSeries(
        by_class=_by_class(steps, shape, "o"),
        calls=per_step(steps, shape, "counted"),
        attempts_by_class=_by_class(steps, shape, "a"),
    )


def _by_class(steps: Sequence[StepSum], shape: Cut, kind: str) -> dict[FailureClass, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for row in steps:
        if row.failure_class and row.kind == kind:
            found.setdefault(row.failure_class, [0] * shape.steps)[row.step] += row.n
    return {name: tuple(found[name]) for name in FailureClass if name in found}


def per_step(steps: Sequence[StepSum], shape: Cut, what: str, *, failed: bool = False) -> tuple[int, ...]:
    """Add one column of operations up per step."""
    numbers = [0] * shape.steps
    for row in steps:
        if row.kind == "o" and (row.failure_class or not failed):
            numbers[row.step] += getattr(row, what)
    return tuple(numbers)


def rates(steps: Sequence[StepSum], shape: Cut, what: str) -> tuple[Rate, ...]:
    """Give the share of one column per step."""
    parts, wholes = per_step(steps, shape, what), per_step(steps, shape, "counted")
    return tuple(Rate(part, whole) for part, whole in zip(parts, wholes, strict=True))


def person_rates(steps: Sequence[StepSum], shape: Cut) -> tuple[Rate, ...]:
    """Give the share that needed a person per step."""
    return rates(steps, shape, "person")


def _person(row: WordSum) -> bool:
    return row.outcome == Outcome.ESCALATED or row.recovered_by == RecoveredBy.HUMAN


def _tools(
    now: Sequence[WordSum],
    before: Sequence[WordSum],
    sketches: Sequence[SketchRow],
    points: dict[str, tuple[int, ...]],
) -> tuple[ToolRow, ...]:
    """Give a line for each tool that was called, those that lost most first."""
    names = sorted({row.tool for row in now})
    by_id: dict[int, list[SketchRow]] = defaultdict(list)
    for row in sketches:
        if row.period == NOW and row.kind == CALL:
            by_id[row.tool_id].append(row)
    ids = dict(Tool.objects.filter(pk__in=list(by_id)).values_list("name", "pk"))
    mine, theirs = _by_tool(now), _by_tool(before)
    length = len(next(iter(points.values()), ()))
    rows = [
        _tool(
            name,
            mine[name],
            theirs.get(name, []),
            by_id.get(ids.get(name, 0), []),
            points.get(name, (0,) * length),
        )
        for name in names
    ]
    return tuple(sorted(rows, key=lambda row: (-row.lost, -row.calls, row.name)))


def _tool(
    name: str,
    now: Sequence[WordSum],
    before: Sequence[WordSum],
    sketches: Sequence[SketchRow],
    points: tuple[int, ...],
) -> ToolRow:
    here = totals(now)
    return ToolRow(
        name=name,
        calls=here.calls,
        first_time=here.first_time,
        in_the_end=here.in_the_end,
        before=totals(before).in_the_end,
        mostly=_mostly(now),
        lost=here.in_the_end.whole - here.in_the_end.part,
        p95_ms=quantile(rollups.together(sketches), 0.95),
        points=points,
    )


def _mostly(sums: Sequence[WordSum]) -> FailureClass | None:
    lost: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for row in sums:
        if row.failure_class and row.outcome not in _UNCOUNTED:
            failed[row.failure_class] += row.n
            if row.outcome not in _ENDED:
                lost[row.failure_class] += row.n
    for counts in (lost, failed):
        if counts:
            return FailureClass(min(counts, key=lambda name: (-counts[name], name)))
    return None


def _by_tool(sums: Iterable[WordSum]) -> dict[str, list[WordSum]]:
    by: dict[str, list[WordSum]] = defaultdict(list)
    for row in sums:
        by[row.tool].append(row)
    return by


def _last_call_at(agent_id: int | None) -> datetime | None:
    if agent_id is not None:
        used = AgentKey.objects.filter(agent_id=agent_id).aggregate(last=Max("last_used_at"))["last"]
        return used if isinstance(used, datetime) else None
    newest = Call.objects.order_by("-pk").values_list("pk", flat=True).first()
    return None if newest is None else received_at(newest)
