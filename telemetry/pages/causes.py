"""Failures by cause: the list of a window. One cause in full stands with its cases in `console.joined`."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.timezone import now
from django.views.decorators.http import require_safe

from console.kit.http import actor, paged
from console.kit.paging import Key
from telemetry import queries
from telemetry.domain.permissions import why_not_make_rules
from telemetry.pages.windows import window_of
from telemetry.queries import CauseRow
from telemetry.vocabulary import FailureClass, Window

PAGE, MOST = 60, 500


@login_required
@require_safe
def causes(request: HttpRequest) -> HttpResponse:
    """List the causes of a window, those of most failures first."""
    window = window_of(request, Window.DAY)
    asked = {word: request.GET.get(word, "").strip()[:200] for word in ("tool", "class")}
    name = asked["class"] if asked["class"] in set(FailureClass) else ""
    rows = queries.causes(window=window, at=now(), tool=asked["tool"], failure_class=name, limit=MOST)
    page = paged(request, rows, limit=PAGE, key=_place, types=(int, str))
    told = {
        "window": window,
        "windows": list(Window),
        "page": page,
        "most": max((row.n for row in rows), default=0),
        "asked": asked,
        "more": urlencode({word: value for word, value in asked.items() if value}),
        "classes": list(FailureClass),
        "may_rule": why_not_make_rules(actor(request)) is None,
    }
    return render(request, "telemetry/causes.html", told)


def _place(row: CauseRow) -> Key:
    return (-row.n, row.id)
