"""The kill switch on pages: what is held back, by whom and until when; hold back, and let go on."""

from datetime import datetime, timedelta
from urllib.parse import urlencode

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import telemetry.queries
from console.kit.http import actor
from console.kit.refusal import Refused
from escalations import contract, operations, queries
from escalations.domain.permissions import why_not_pause
from escalations.pages.asides import ours
from escalations.pages.faults import spoken
from escalations.pages.pause_words import KINDS, LENGTHS
from escalations.queries.policies import deciding, policy_named
from escalations.vocabulary import Paused, Source
from telemetry.queries.agents import first_names

OFFERED = 200  # names of a kind that a field offers; any other can be typed
TYPED = ("kind", "name", "reason", "for", "at")
FOR = {"1h": timedelta(hours=1), "4h": timedelta(hours=4), "1d": timedelta(days=1), "7d": timedelta(days=7)}


@login_required
@never_cache
@require_safe
def pauses(request: HttpRequest) -> HttpResponse:
    """List what is held back, with the form to hold more; what was typed and refused stands in the address."""
    at = now()
    context = {
        "at": at,
        "held": queries.pauses(at=at).pauses,
        "may_pause": why_not_pause(actor(request)) is None,
        "kinds": KINDS,
        "lengths": LENGTHS,
        "names": _offered(),
        "typed": {each: request.GET.get(each, "")[:300] for each in TYPED},
    }
    return render(request, "escalations/pauses.html", context)


@login_required
@require_POST
def hold(request: HttpRequest) -> HttpResponse:
    """Hold automatic decisions back from now on."""
    at = now()
    typed = {each: request.POST.get(each, "").strip()[:300] for each in TYPED}
    until, wrong = _until(typed, at)
    wrong = wrong or _wrong(typed)
    if not wrong:
        try:
            body = orjson.dumps({"reason": typed["reason"], "until": until})
            operations.pause(
                kind=Paused(typed["kind"]),
                name=typed["name"],
                said=contract.HoldBack.read(body),
                by=actor(request),
                at=at,
                source=Source.PAGE,
            )
        except Refused as refusal:
            wrong = spoken(refusal)
    if wrong:
        messages.error(request, wrong)
        return redirect(f"{reverse('pauses')}?{urlencode(typed)}#hold")
    messages.success(request, _("Automatic decisions are held back: %(name)s.") % typed)
    return redirect("pauses")


@login_required
@require_POST
def let_go_on(request: HttpRequest) -> HttpResponse:
    """Let automatic decisions go on."""
    kind, name = request.POST.get("kind", ""), request.POST.get("name", "")[:200]
    if kind not in set(Paused):
        raise Http404
    try:
        operations.unpause(kind=Paused(kind), name=name, by=actor(request), at=now(), source=Source.PAGE)
    except Refused as refusal:
        messages.error(request, spoken(refusal))
    else:
        messages.success(request, _("Automatic decisions go on: %(name)s.") % {"name": name})
    back = request.POST.get("back", "")
    return redirect(back if ours(back) else reverse("pauses"))


def _offered() -> tuple[str, ...]:
    """Give the names that the field offers: agents, and policies that decide by themselves."""
    return (*first_names(limit=OFFERED), *deciding(limit=OFFERED))


def _wrong(typed: dict[str, str]) -> str:
    """Say what cannot be held back like this, blank where it can: a name that is nobody's would hold nothing."""
    if typed["kind"] not in set(Paused):
        raise Http404
    if not typed["reason"]:
        return _("Say why: whoever wonders later reads it.")
    if typed["kind"] == Paused.AGENT and telemetry.queries.agent_named(typed["name"]) is None:
        return _("There is no agent called “%(name)s”.") % typed
    if typed["kind"] == Paused.POLICY and policy_named(typed["name"]) is None:
        return _("There is no policy called “%(name)s”.") % typed
    return ""


def _until(typed: dict[str, str], at: datetime) -> tuple[datetime | None, str]:
    """Read how long: a length, a picked time, or for good."""
    if typed["for"] in FOR:
        return at + FOR[typed["for"]], ""
    if typed["for"] != "pick":
        return None, ""
    try:
        found = parse_datetime(typed["at"])
        found = found if found is None or timezone.is_aware(found) else timezone.make_aware(found)
    except (ValueError, OverflowError):
        found = None
    if found is None or found <= at:
        return None, _("Until when? Pick a time that is still to come.")
    return found, ""
