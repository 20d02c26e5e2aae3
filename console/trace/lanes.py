"""The lanes of a trace: calls with their attempts, what the model reasoned, cases and changes of breakers, on one axis."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from console.kit import quantities
from console.kit.lanes import Drawn, Scale, Span, Tick, long_waits
from escalations.queries import QueueRow
from telemetry.queries import AttemptRow, CallDetail, Mark, Trace
from telemetry.vocabulary import FailureClass

LOOKS = {"invalid_args": "args", "unknown_outcome": "unknown"}
BREAKER_LOOKS = {"open": "b-open", "forced_open": "b-open", "half_open": "b-half"}
LABEL_INSIDE_FROM = 72.0  # percent: from here a lane's label stands left of its bar
LABEL_NEEDS = 30.0  # percent that a label left of a bar takes
MOST_ATTEMPTS = 12
DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Lane:
    """One line of the waterfall. Exactly one of what it is about is given."""

    id: str
    depth: int
    spans: tuple[Drawn, ...]
    label: str
    label_x: str
    label_end: bool
    call: CallDetail | None = None
    attempt: AttemptRow | None = None
    reasoning: str = ""
    case: QueueRow | None = None
    change: Mark | None = None


class _Line(NamedTuple):
    """A lane before it is drawn: when it begins, what is drawn, what it says."""

    start: float
    id: str
    depth: int
    spans: Sequence[Span]
    label: str
    about: dict[str, object]


@dataclass(frozen=True, slots=True)
class Waterfall:
    """All lanes, and the axis they share."""

    lanes: tuple[Lane, ...]
    ticks: tuple[Tick, ...]
    broken: bool  # long waits for people are drawn shorter than they were
    seconds: float


def waterfall(found: Trace, cases: Sequence[QueueRow], changes: Sequence[Mark], at: datetime) -> Waterfall:
    """Put everything of a trace on one axis, in the order it began."""
    origin = found.started_at
    lines = [*_calls(found), *_cases(cases, origin, at)]
    drawn = [span for line in lines for span in line.spans]
    length = max([(found.ended_at - origin).total_seconds(), *(span.end for span in drawn)])
    lines += _changes(changes, origin, length)
    breaks = _apart(long_waits(drawn)) if cases else ()
    scale = Scale(length, breaks)
    ordered = sorted(lines, key=lambda line: line.start)
    lanes = tuple(_lane(line, scale) for line in ordered)
    return Waterfall(lanes, scale.ticks((_("s"), _("min"), _("h"))), bool(breaks), length)


def _apart(breaks: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Make one stretch of those that overlap: the axis breaks once."""
    merged: list[tuple[float, float]] = []
    for start, end in sorted(breaks):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _calls(found: Trace) -> Iterable[_Line]:
    depths = _depths(found.calls)
    said = ""
    for call in found.calls:
        start = (call.row.started_at - found.started_at).total_seconds()
        end = start + call.row.duration_ms / 1000
        depth, name = depths[call.row.id], f"{call.row.id}"
        if call.reasoning and call.reasoning != said:
            said = call.reasoning
            yield _Line(start, f"model-{name}", depth, [Span(start, start, "line2")], "", {"reasoning": said})
        tried = list(_attempts(call, found))
        many = len(call.attempts) > 1
        spans = [span for each in tried for span in each.spans] or [
            Span(start, end, _look(call.row.failure_class))
        ]
        yield _Line(start, f"lane-{name}", depth, spans, "", {"call": call})
        if many:
            yield from (one._replace(start=start, depth=depth + 1) for one in tried[:MOST_ATTEMPTS])


def _attempts(call: CallDetail, whole: Trace) -> Iterable[_Line]:
    before: float | None = None
    for one in call.attempts:
        start = (one.started_at - whole.started_at).total_seconds()
        end = start + max(one.duration_ms, 0.0) / 1000
        waited = [Span(before, start, kind="wait")] if one.wait_ms and before is not None else []
        before = end
        label = _said(one)
        if waited:
            label = _("%(said)s, waited %(wait)s") % {
                "said": label,
                "wait": quantities.took(one.wait_ms / 1000),
            }
        bar = Span(start, end, _look(one.failure_class))
        yield _Line(start, f"try-{call.row.id}-{one.n}", 1, [*waited, bar], label, {"attempt": one})


def _cases(cases: Sequence[QueueRow], origin: datetime, at: datetime) -> Iterable[_Line]:
    for case in cases:
        start = (case.opened_at - origin).total_seconds()
        end = ((case.decided_at or (at if case.is_open else case.expires_at)) - origin).total_seconds()
        span = Span(start, max(end, start), "lamp", "person")
        yield _Line(
            start, f"case-{case.ref}", 0, [span], quantities.took(max(end - start, 0.0)), {"case": case}
        )


def _changes(changes: Sequence[Mark], origin: datetime, length: float) -> Iterable[_Line]:
    """Place changes of breakers; one from before or after stands at the edge and says how far off it was."""
    for place, change in enumerate(changes):
        start = (change.at - origin).total_seconds()
        x, label = min(max(start, 0.0), length), ""
        if start < 0:
            label = _("%(took)s before") % {"took": quantities.took(-start)}
        elif start > length:
            label = _("%(took)s after") % {"took": quantities.took(start - length)}
        span = Span(x, x, BREAKER_LOOKS.get(change.word, "b-closed"))
        yield _Line(start, f"breaker-{place}", 0, [span], label, {"change": change})


def _depths(calls: Sequence[CallDetail]) -> dict[int, int]:
    """Say how deep each call stands under calls of the same trace."""
    by_span = {call.span_id: call for call in calls if call.span_id}
    depths: dict[int, int] = {}
    for call in calls:
        depth, above, seen = 0, by_span.get(call.parent_span_id or ""), {call.row.id}
        while above is not None and above.row.id not in seen and depth < DEEPEST:
            seen.add(above.row.id)
            depth, above = depth + 1, by_span.get(above.parent_span_id or "")
        depths[call.row.id] = depth
    return depths


def _lane(line: _Line, scale: Scale) -> Lane:
    x, at_end = _beside(line, scale)
    return Lane(
        id=line.id,
        depth=line.depth,
        spans=scale.draw(line.spans),
        label=line.label,
        label_x=f"{x:.2f}%",
        label_end=at_end,
        **line.about,  # type: ignore[arg-type]  # one of what a lane is about
    )


def _beside(line: _Line, scale: Scale) -> tuple[float, bool]:
    """Give the place of a lane's label: right of its last bar, left of it, or at the edge; and whether it ends there."""
    right = scale.at(max((span.end for span in line.spans), default=line.start))
    left = scale.at(line.spans[-1].start if line.spans else line.start)
    if right <= LABEL_INSIDE_FROM:
        return right, False
    return (left, True) if left >= LABEL_NEEDS else (100.0, True)


def _said(one: AttemptRow) -> str:
    return str(one.http_status or one.code or (_("ok") if one.failure_class is None else one.failure_class))


def _look(failure_class: FailureClass | None) -> str:
    return "ink3" if failure_class is None else LOOKS.get(failure_class, failure_class.value)
