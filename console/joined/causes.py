"""One cause in full: why it is one, when and where it was met, the calls that show it, and the cases it led to."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_safe

import escalations.queries
import telemetry.queries
from telemetry.pages.charts import steps
from telemetry.pages.rules import asked_rule
from telemetry.pages.windows import window_of
from telemetry.vocabulary import Window


@login_required
@require_safe
def cause(request: HttpRequest, cause_id: str) -> HttpResponse:
    """Show one cause, with the cases whose failed call is one of its calls."""
    window, at = window_of(request, Window.DAY), now()
    page = telemetry.queries.cause_page(cause_id=cause_id, window=window, at=at)
    if page is None:
        raise Http404
    handed_over = escalations.queries.traces_with_cases(tool=page.row.tool)
    met = telemetry.queries.traces_of_cause(cause_id=page.row.id, among=handed_over)
    told = {
        "page": page,
        "row": page.row,
        "windows": list(Window),
        "steps": steps(page.starts, page.points),
        "top": max(page.points, default=0),
        "cases": escalations.queries.tool_cases_of_traces(tool=page.row.tool, traces=met, at=at),
        **asked_rule(request, tool=page.row.tool, contains=page.grouping.message),
    }
    return render(request, "console/cause.html", told)
