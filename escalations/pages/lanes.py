"""The calls before a case on one axis: every attempt and every wait to scale, as telemetry has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

import telemetry.queries
from console.kit.lanes import Drawn, Scale, Span, Tick
from console.kit.quantities import took
from escalations.queries import CasePage
from telemetry.queries import CallDetail

LOOKS = {"invalid_args": "args", "unknown_outcome": "unknown"}
LEAST_GAP_S = 4.0  # an idle stretch longer than this, and longer than all the work, breaks the axis


@dataclass(frozen=True, slots=True)
class Lane:
    """One call on the axis, and the same in words."""

    drawn: tuple[Drawn, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Lanes:
    """The axis and its lanes by call; `breaks` are the places, in percent, where idle time was left out."""

    ticks: tuple[Tick, ...]
    breaks: tuple[str, ...]
    total: str
    of: Mapping[str, Lane]


def lanes_of(page: CasePage) -> Lanes | None:
    """Draw the calls that the case tells of; None where telemetry has fewer than two of them."""
    if not page.trace_id or not page.row.agent_id.isdigit():
        return None
    trace = telemetry.queries.trace(trace_id=page.trace_id, agent_id=int(page.row.agent_id))
    told = {step.call_id for step in page.steps}
    calls = [call for call in trace.calls if call.row.call_id in told] if trace else []
    return draw(calls) if len(calls) > 1 else None


def draw(calls: Sequence[CallDetail]) -> Lanes:
    """Put calls on one axis that begins with the first."""
    start = min(call.row.started_at for call in calls)
    spans = {call.row.call_id: _spans(call, (call.row.started_at - start).total_seconds()) for call in calls}
    flat = [span for each in spans.values() for span in each]
    length = max(span.end for span in flat)
    gaps = _gaps(flat)
    scale = Scale(length, gaps)
    return Lanes(
        ticks=scale.ticks((_("s"), _("min"), _("h")), most=4),
        breaks=tuple(f"{(scale.at(begin) + scale.at(end)) / 2:.2f}%" for begin, end in gaps),
        total=took(length),
        of={call.row.call_id: Lane(scale.draw(spans[call.row.call_id]), _told(call)) for call in calls},
    )


def _spans(call: CallDetail, offset: float) -> list[Span]:
    if not call.attempts:
        failed = call.row.failure_class if call.row.outcome == "failed" else None
        return [_span(offset, call.row.duration_ms / 1000, failed)]
    spans = []
    for each in call.attempts:
        begin = offset + max(0.0, (each.started_at - call.row.started_at).total_seconds())
        if each.wait_ms:
            spans.append(Span(max(offset, begin - each.wait_ms / 1000), begin, kind="wait"))
        spans.append(_span(begin, each.duration_ms / 1000, each.failure_class))
    return spans


def _span(begin: float, seconds: float, failure_class: str | None) -> Span:
    look = LOOKS.get(failure_class or "", failure_class or "ink3")
    return Span(begin, begin + seconds, look, "unknown" if failure_class == "unknown_outcome" else "bar")


def _gaps(spans: Sequence[Span]) -> tuple[tuple[float, float], ...]:
    """Find the idle stretches that would squeeze everything else to nothing."""
    busy = sum(span.end - span.start for span in spans)
    found, reached = [], 0.0
    for span in sorted(spans, key=lambda each: each.start):
        if span.start - reached > max(LEAST_GAP_S, busy):
            found.append((reached, span.start))
        reached = max(reached, span.end)
    return tuple(found[:4])


def _told(call: CallDetail) -> str:
    tries = call.attempts
    if len(tries) < 2:
        return _("one attempt, %(took)s") % {"took": took(call.row.duration_ms / 1000)}
    parts = [str(each.http_status or each.code or each.failure_class or _("worked")) for each in tries]
    return _("%(n)s attempts within %(took)s: %(parts)s") % {
        "n": len(tries),
        "took": took(call.row.duration_ms / 1000),
        "parts": ", ".join(parts),
    }
