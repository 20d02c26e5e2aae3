"""Which tools fail, and one tool in full."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_safe

from console.kit.http import actor, paged
from console.kit.paging import Key
from telemetry import queries
from telemetry.domain.permissions import why_not_make_rules
from telemetry.domain.search import term
from telemetry.pages.charts import failures_chart, lanes
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
    """Show one tool: rates, percentiles, classes, causes, last failures, and what stood beside them on one axis."""
    at = now()
    facts = queries.tool_page(name=name, window=window_of(request), at=at)
    if facts is None:
        raise Http404
    beside = queries.timeline(
        tool=name, since=facts.span.start, until=facts.span.end, guarded_by=facts.breakers
    )
    rows = {
        "calls": facts.failures.calls,
        "in_the_end": [rate.value for rate in facts.in_the_end],
        "p50": [latency.p50_ms for latency in facts.latency_series],
        "p95": [latency.p95_ms for latency in facts.latency_series],
    }
    tops = {word: max((one for one in lane if one is not None), default=None) for word, lane in rows.items()}
    page = {
        "facts": facts,
        "windows": list(Window),
        "figure": failures_chart(facts.span, facts.failures, tool=facts.name, beside=beside),
        "lanes": lanes(beside, facts.span.start, facts.span.end),
        "marks": beside.marks,
        "spikes": queries.spikes(at=at, tool=name, only_open=True),
        "tops": tops,
        "query": term("tool", facts.name),
        "may_rule": why_not_make_rules(actor(request)) is None,
        **rows,
    }
    return render(request, "telemetry/tool.html", page)


def _place(row: ToolRow) -> Key:
    return (-row.lost, -row.calls, row.name)
