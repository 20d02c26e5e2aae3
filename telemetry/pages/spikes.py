"""What rises beyond what traffic explains: the list, what is told of one, and what people say to it."""

from datetime import datetime, timedelta

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from console.kit import quantities
from console.kit.http import actor
from console.kit.paging import BadCursor
from telemetry import operations, queries
from telemetry.domain.permissions import why_not_answer_spikes
from telemetry.domain.spikes import YOUNG
from telemetry.pages.charts import lanes, spike_chart, steps
from telemetry.pages.forms import attempt, back
from telemetry.queries import SpikePage
from telemetry.vocabulary import SpikeKind

PAGE = 50
HOURS = (1, 4, 24, 72, 168)  # what the form of a mute offers
LONGEST_HOURS = 30 * 24
RAREST = 1e-9


@login_required
@require_safe
def spikes(request: HttpRequest) -> HttpResponse:
    """List what is open, what is new, what is over, and what is muted."""
    at = now()
    rows = queries.spikes(at=at, only_open=True)
    try:
        closed = queries.closed_spikes(at=at, after=request.GET.get("after") or None, limit=PAGE)
    except BadCursor as refusal:
        raise Http404 from refusal
    rising = [row for row in rows if row.kind is not SpikeKind.NEW]
    told = {
        "open": rising,
        "new": [row for row in rows if row.kind is SpikeKind.NEW],
        "closed": closed,
        "mutes": queries.mutes(at=at),
        "watched": queries.watched_count(),
    }
    return render(request, "telemetry/spikes.html", {**told, **_rights(request)})


def told_of(request: HttpRequest, page: SpikePage, at: datetime) -> dict[str, object]:
    """Give what the page of one spike says of the spike itself."""
    starts = page.series.starts
    end = starts[-1] + timedelta(seconds=page.series.step_s)
    return {
        "page": page,
        "row": page.row,
        "figure": spike_chart(page, at),
        "lanes": lanes(page.beside, starts[0], end),
        "steps": steps(starts, page.series.rates),
        "hours": HOURS,
        "young": page.row.baseline_min is not None and page.row.baseline_min < YOUNG,
        "chance": _chance(page.row.probability),
        "learned": quantities.took((page.row.baseline_min or 0) * 60),
        **_rights(request),
    }


@login_required
@require_POST
def acknowledge(request: HttpRequest, spike_id: int) -> HttpResponse:
    """Say that one looks at it."""
    who, at = actor(request), now()
    attempt(
        request,
        lambda: operations.acknowledge_spike(spike_id=spike_id, by=who, at=at),
        why_not=why_not_answer_spikes,
        done=_("Acknowledged. It stays open until the rate is as usual."),
    )
    return back(request, reverse("spikes"))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: HttpRequest) -> HttpResponse:
    """Keep spikes of a tool or a class quiet for some hours, and say why; the list of them stands under the spikes."""
    if request.method != "POST":
        return redirect(f"{reverse('spikes')}#mutes")
    who, at, said = actor(request), now(), request.POST
    given = said.get("hours", "")
    hours = min(int(given), LONGEST_HOURS) if given.isdecimal() and len(given) < 6 else 0
    attempt(
        request,
        lambda: operations.mute_spikes(
            tool=said.get("tool", ""),
            subject=said.get("subject", ""),
            until=at + timedelta(hours=hours),
            reason=said.get("reason", ""),
            by=who,
            at=at,
        ),
        why_not=why_not_answer_spikes,
        done=_("Muted. It is still recorded, and nobody is told until then."),
    )
    return back(request, reverse("spikes"))


@login_required
@require_POST
def unmute(request: HttpRequest, mute_id: int) -> HttpResponse:
    """End a mute now."""
    who, at = actor(request), now()
    attempt(
        request,
        lambda: operations.unmute_spikes(mute_id=mute_id, by=who, at=at),
        why_not=why_not_answer_spikes,
        done=_("No longer muted."),
    )
    return back(request, reverse("spikes"))


def _chance(probability: float | None) -> str:
    """Say how often chance alone would do that."""
    if probability is None:
        return ""
    if probability < RAREST:
        return _("less than 1 in %(n)s") % {"n": quantities.count(round(1 / RAREST))}
    return _("1 in %(n)s") % {"n": quantities.count(round(1 / probability))}


def _rights(request: HttpRequest) -> dict[str, object]:
    return {"may_answer": why_not_answer_spikes(actor(request)) is None}
