"""Which tools fail, and one tool in full."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_safe

from console.kit.http import paged
from console.kit.paging import Key
from telemetry import queries
from telemetry.pages.charts import failures_chart
from telemetry.pages.windows import window_of
from telemetry.queries import ToolRow
from telemetry.vocabulary import Window

PAGE = 100


@login_required
@require_safe
def tools(request: HttpRequest) -> HttpResponse:
    """List every tool that was called in the window, by what was lost."""
    window = window_of(request, Window.DAY)
    page = paged(
        request, queries.tools(window=window, at=now()), limit=PAGE, key=_place, types=(int, int, str)
    )
    told = {"window": window, "page": page, "tools": page.rows, "windows": list(Window)}
    return render(request, "telemetry/tools.html", told)


@login_required
@require_safe
def tool(request: HttpRequest, name: str) -> HttpResponse:
    """Show one tool: rates, percentiles, classes, codes, last failures."""
    facts = queries.tool_page(name=name, window=window_of(request), at=now())
    if facts is None:
        raise Http404
    lanes = {
        "calls": facts.failures.calls,
        "in_the_end": [rate.value for rate in facts.in_the_end],
        "p95": [latency.p95_ms for latency in facts.latency_series],
    }
    tops = {name: max((one for one in lane if one is not None), default=None) for name, lane in lanes.items()}
    page = {
        "facts": facts,
        "windows": list(Window),
        "figure": failures_chart(facts.span, facts.failures, tool=facts.name),
        "tops": tops,
        **lanes,
    }
    return render(request, "telemetry/tool.html", page)


def _place(row: ToolRow) -> Key:
    return (-row.lost, -row.calls, row.name)
