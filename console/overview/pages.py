"""The first page, and its window."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_safe

import escalations.queries
import telemetry.queries
from console.kit.http import actor, counted
from console.overview.news import Standing, news
from escalations.queries import QueueRow
from escalations.vocabulary import View
from telemetry.pages.charts import failures_chart
from telemetry.pages.windows import window_of
from telemetry.queries import Overview, Place
from telemetry.vocabulary import FailureClass, Window

SHOWN_CASES, SHOWN_TOOLS, SHOWN_BREAKERS, SHOWN_SPIKES = 5, 12, 6, 4


@dataclass(frozen=True, slots=True)
class ClassCount:
    """One entry of the legend."""

    name: FailureClass
    n: int


@login_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """What fails, who recovers it, what waits for a person."""
    at, who = now(), actor(request)
    facts = telemetry.queries.overview(window=window_of(request), at=at)
    board = telemetry.queries.board(at=at, history=0)
    counts = escalations.queries.rail_counts(person_id=who.id, at=at)
    rows = escalations.queries.queue(
        view=View.OPEN, person_id=who.id, at=at, search="", after=None, limit=SHOWN_CASES
    ).rows
    standing = Standing(
        breakers=tuple(place.name for place in board.not_closed),
        open_cases=counts.open,
        unclaimed=counts.unclaimed,
        due_soon=counts.due_soon,
        attention=counts.attention,
    )
    counted(request, open=counts.open, unclaimed=counts.unclaimed, breakers=len(board.not_closed))
    page = _page(facts, board.places, rows, standing)
    spikes = telemetry.queries.spikes(at=at, only_open=True)[:SHOWN_SPIKES]
    return render(request, "console/overview.html", {**page, "spikes": spikes})


def _page(
    facts: Overview, places: tuple[Place, ...], rows: tuple[QueueRow, ...], standing: Standing
) -> dict[str, object]:
    not_closed = [place for place in places if place.name in standing.breakers]
    totals = facts.failures.totals
    return {
        "facts": facts,
        "news": news(facts, standing),
        "standing": standing,
        "cases": rows,
        "tools": facts.tools[:SHOWN_TOOLS],
        "places": places,
        "not_closed": not_closed[:SHOWN_BREAKERS],
        "legend": [ClassCount(name, totals.get(name, 0)) for name in FailureClass],
        "windows": list(Window),
        "figure": failures_chart(facts.span, facts.failures),
        "person_rates": [rate.value for rate in facts.person],
        "person_before": [rate.value for rate in facts.person_before],
        "person_top": max((rate.value or 0.0 for rate in (*facts.person, *facts.person_before)), default=0.0),
    }
