"""One trace: everything of one task on one axis, each call in full, and the cases it led to."""

from collections.abc import Sequence
from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_safe

import escalations.queries
import telemetry.queries
from console.kit.http import actor
from console.trace.lanes import waterfall
from telemetry.domain.permissions import why_not_relabel
from telemetry.queries import Trace
from telemetry.vocabulary import FailureClass

AROUND = timedelta(seconds=30)  # a breaker that changed so shortly before or after belongs to the story


@login_required
@require_safe
def trace(request: HttpRequest, trace_id: str) -> HttpResponse:
    """Show all of one trace on one axis, then each call in full."""
    at = now()
    found = telemetry.queries.trace(trace_id=trace_id)
    if found is None:
        raise Http404
    cases = escalations.queries.of_trace(trace_id=trace_id, at=at)
    guarded = {name for call in found.calls for name in (call.dependency, call.row.tool) if name}
    changes = telemetry.queries.changes(
        sorted(guarded), since=found.started_at - AROUND, until=found.ended_at + AROUND
    )
    told = {
        "trace": found,
        "cases": cases,
        "first": found.calls[0],
        "attempts": sum(max(1, len(call.attempts)) for call in found.calls),
        "seconds": (found.ended_at - found.started_at).total_seconds(),
        "fall": waterfall(found, cases, changes, at),
        "classes_seen": _classes(found),
        "classes": list(FailureClass),
        "may_relabel": why_not_relabel(actor(request)) is None,
    }
    return render(request, "console/trace.html", told)


def _classes(found: Trace) -> Sequence[FailureClass]:
    seen = {call.row.failure_class for call in found.calls} | {
        one.failure_class for call in found.calls for one in call.attempts
    }
    return [name for name in FailureClass if name in seen]
