"""One trace: its calls and attempts on one axis, each in full, and the cases it led to."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import escalations.queries
import telemetry.queries
from console.kit.lanes import Drawn, Scale, Span
from telemetry.queries import AttemptRow, CallDetail, Trace
from telemetry.vocabulary import FailureClass

LOOKS = {"invalid_args": "args", "unknown_outcome": "unknown"}
LABEL_INSIDE_FROM = 78.0  # percent: from here a lane's label stands left of its bar


@dataclass(frozen=True, slots=True)
class Lane:
    """One call of the waterfall."""

    call: CallDetail
    spans: tuple[Drawn, ...]
    label: str
    label_x: str
    label_end: bool


@login_required
@require_safe
def trace(request: HttpRequest, trace_id: str) -> HttpResponse:
    """Show all calls of one trace on one axis, then each in full."""
    found = telemetry.queries.trace(trace_id=trace_id)
    if found is None:
        raise Http404
    seconds = (found.ended_at - found.started_at).total_seconds()
    scale = Scale(seconds)
    told = {
        "trace": found,
        "cases": escalations.queries.of_trace(trace_id=trace_id, at=now()),
        "first": found.calls[0],
        "attempts": sum(max(1, len(call.attempts)) for call in found.calls),
        "seconds": seconds,
        "ticks": scale.ticks((_("s"), _("min"), _("h"))),
        "lanes": [_lane(call, found, scale) for call in found.calls],
        "classes_seen": _classes(found),
    }
    return render(request, "console/trace.html", told)


def _lane(call: CallDetail, whole: Trace, scale: Scale) -> Lane:
    start = (call.row.started_at - whole.started_at).total_seconds()
    end = start + call.row.duration_ms / 1000
    spans = _attempts(call, whole) or [Span(start, end, _look(call.row.failure_class))]
    at_end = scale.at(end)
    inside = at_end > LABEL_INSIDE_FROM
    return Lane(
        call=call,
        spans=scale.draw(spans),
        label=", ".join(_said(one) for one in call.attempts[:4]) if len(call.attempts) > 1 else "",
        label_x=f"{scale.at(start) if inside else at_end:.2f}%",
        label_end=inside,
    )


def _attempts(call: CallDetail, whole: Trace) -> list[Span]:
    spans: list[Span] = []
    for one in call.attempts:
        start = (one.started_at - whole.started_at).total_seconds()
        if one.wait_ms and spans:
            spans.append(Span(spans[-1].end, start, kind="wait"))
        spans.append(Span(start, start + one.duration_ms / 1000, _look(one.failure_class)))
    return spans


def _said(one: AttemptRow) -> str:
    return str(one.http_status or one.code or (_("ok") if one.failure_class is None else one.failure_class))


def _look(failure_class: FailureClass | None) -> str:
    return "ink3" if failure_class is None else LOOKS.get(failure_class, failure_class.value)


def _classes(found: Trace) -> Sequence[FailureClass]:
    seen = {call.row.failure_class for call in found.calls} | {
        one.failure_class for call in found.calls for one in call.attempts
    }
    return [name for name in FailureClass if name in seen]
