"""Which tools fail, and one tool in full."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import localtime, now
from django.views.decorators.http import require_safe

from console.kit.http import paged
from console.kit.paging import Key
from telemetry import figures, queries
from telemetry.pages.windows import window_of
from telemetry.queries import ToolPage, ToolRow
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
    page = {"facts": facts, "windows": list(Window), "figure": _figure(facts), "tops": tops, **lanes}
    return render(request, "telemetry/tool.html", page)


def _place(row: ToolRow) -> Key:
    return (-row.lost, -row.calls, row.name)


def _figure(facts: ToolPage) -> dict[str, object]:
    query = urlencode({"window": facts.span.window, "tool": facts.name})
    return figures.failures_by_class(
        buckets=[localtime(at) for at in facts.span.buckets],
        step_s=facts.span.step_s,
        by_class=facts.failures.by_class,
        href=f"{reverse('calls')}?{query}",
    )
