"""Teams: who is on call now and next, the order and its weeks, who stands in."""

from collections.abc import Callable
from datetime import datetime
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
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from console.kit.actor import Actor
from console.kit.http import STATUS, actor
from console.kit.refusal import Refused
from escalations import contract, operations
from escalations.domain import rota
from escalations.domain.permissions import why_not_pause, why_not_rule
from escalations.pages import team_form
from escalations.pages.faults import spoken
from escalations.pages.team_words import WEEKDAYS
from escalations.queries.deciders import decider_names
from escalations.queries.team_page import TeamPage, team_lines, team_page
from escalations.vocabulary import Source

STAND_IN = ("person", "starts_at", "ends_at")


@login_required
@never_cache
@require_safe
def teams(request: HttpRequest) -> HttpResponse:
    """List the teams with whoever is on call."""
    at = now()
    context = {"at": at, "lines": team_lines(at=at), "may_rule": why_not_rule(actor(request)) is None}
    return render(request, "escalations/teams.html", context)


@login_required
@never_cache
@require_safe
def team(request: HttpRequest, name: str) -> HttpResponse:
    """Show one team; what was typed for a stand-in and refused stands in the address."""
    me, at = actor(request), now()
    may_stand_in = why_not_pause(me) is None
    context = {
        "at": at,
        "me": me,
        "page": _page(name),
        "typed": {each: request.GET.get(each, "")[:200] for each in STAND_IN},
        "may_rule": why_not_rule(me) is None,
        "may_stand_in": may_stand_in,
        "people": decider_names() if may_stand_in else (),
        "weekdays": WEEKDAYS,
    }
    return render(request, "escalations/team.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_team(request: HttpRequest, name: str = "") -> HttpResponse:
    """Make a team, or change its order and handover; whatever was typed stays where it is not taken."""
    me = actor(request)
    told = _page(name).line.told if name else None
    if request.method != "POST":
        zone = timezone.get_current_timezone_name()
        fresh = team_form.of_team(told) if told else team_form.TeamForm(zone=zone)
        return _form_page(request, fresh, name)
    form = team_form.typed(request.POST, name=name)
    if (do := request.POST.get("do", "")) != "save":
        return _form_page(request, team_form.changed(form, do), name)
    body, form = team_form.read(form)
    if body is None:
        return _form_page(request, form, name, status=422)
    try:
        operations.set_team(name=form.name, said=body, by=me, at=now(), source=Source.PAGE)
    except Refused as refusal:
        return _form_page(request, team_form.refused(form, refusal), name, status=STATUS[refusal.kind])
    messages.success(request, _("%(name)s is saved, and counts from now on.") % {"name": form.name})
    return redirect("team", name=form.name)


@login_required
@require_POST
def drop_team(request: HttpRequest, name: str) -> HttpResponse:
    """Drop a team."""
    try:
        operations.drop_team(name=name, by=actor(request), at=now(), source=Source.PAGE)
    except Refused as refusal:
        messages.error(request, spoken(refusal))
    else:
        messages.success(request, _("%(name)s is dropped.") % {"name": name})
    return redirect("teams")


@login_required
@require_POST
def stand_in(request: HttpRequest, name: str) -> HttpResponse:
    """Let somebody stand in for a while; of two that overlap the later made one counts."""
    typed = {each: request.POST.get(each, "").strip()[:200] for each in STAND_IN}
    again = f"{reverse('team', args=[name])}?{urlencode(typed)}#stand-ins"
    starts, ends = (_moment(typed[each]) for each in STAND_IN[1:])
    if not typed["person"] or starts is None or ends is None or ends <= starts:
        messages.error(request, _("A stand-in is somebody, from a time until a later one."))
        return redirect(again)
    body = {"person": typed["person"], "starts_at": starts, "ends_at": ends}
    return _done(
        request, name, lambda me: _add(name, body, me), said=_("%(person)s stands in.") % typed, again=again
    )


@login_required
@require_POST
def drop_stand_in(request: HttpRequest, name: str, override_id: int) -> HttpResponse:
    """Take a stand-in off again."""
    return _done(
        request,
        name,
        lambda me: operations.drop_override(
            team=name, override_id=override_id, by=me, at=now(), source=Source.PAGE
        ),
        said=_("The stand-in is taken off."),
    )


def _add(name: str, body: dict[str, object], me: Actor) -> object:
    said = contract.AddOverride.read(orjson.dumps(body))
    return operations.add_override(team=name, said=said, by=me, at=now(), source=Source.PAGE)


def _done(
    request: HttpRequest, name: str, do: Callable[[Actor], object], *, said: str, again: str = ""
) -> HttpResponse:
    """Do one thing to a team's stand-ins and go back to it; what was refused goes back with what was typed."""
    try:
        do(actor(request))
    except Refused as refusal:
        messages.error(request, spoken(refusal))
        return redirect(again or reverse("team", args=[name]))
    messages.success(request, said)
    return redirect(f"{reverse('team', args=[name])}#stand-ins")


def _page(name: str) -> TeamPage:
    found = team_page(name=name, at=now())
    if found is None:
        raise Http404
    return found


def _form_page(
    request: HttpRequest, form: team_form.TeamForm, name: str, *, status: int = 200
) -> HttpResponse:
    context = {
        "at": now(),
        "form": form,
        "name": name,
        "may_rule": why_not_rule(actor(request)) is None,
        "people": team_form.choices(form, decider_names()),
        "zones": sorted(rota.zones()),
        "weekdays": WEEKDAYS,
    }
    return render(request, "escalations/team_form.html", context, status=status)


def _moment(text: str) -> datetime | None:
    """Read a time as a person picks it, in their own zone; None where it is none."""
    try:
        found = parse_datetime(text)
        return found if found is None or timezone.is_aware(found) else timezone.make_aware(found)
    except (ValueError, OverflowError):
        return None
