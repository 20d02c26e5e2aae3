"""The panel of breakers, one breaker with its history, and commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from console.kit.http import actor, counted, paged
from console.kit.paging import BadCursor
from console.kit.refusal import Refused
from telemetry import operations, queries
from telemetry.domain.permissions import check, why_not_command
from telemetry.pages.charts import Stretch, stretch
from telemetry.queries import Place
from telemetry.vocabulary import CommandVerb

PANEL = 60  # places a panel
CHANGES, COMMANDS = 50, 20
STRIP = timedelta(hours=24)
LONGEST_MINUTES = 7 * 24 * 60


@dataclass(frozen=True, slots=True)
class Unit:
    """A place of the panel with its last day: when it was open, and since when it is silent."""

    place: Place
    opened: tuple[Stretch, ...]
    silent: Stretch | None


@login_required
@require_safe
def breakers(request: HttpRequest) -> HttpResponse:
    """Show every breaker of the fleet at its place."""
    at = now()
    board = queries.board(at=at)
    counted(request, breakers=len(board.not_closed))
    page = paged(request, board.places, limit=PANEL, key=lambda place: (place.place,), types=(int,))
    told = {"board": board, "page": page, "units": _units(page.rows, at), **_rights(request)}
    return render(request, "telemetry/breakers.html", told)


@login_required
@require_safe
def breaker(request: HttpRequest, name: str) -> HttpResponse:
    """Show one breaker: its instances, the last day, what people told it, and its history."""
    at = now()
    board = queries.board(at=at, breaker=name, history=0)
    if not board.places:
        raise Http404
    try:
        history = queries.breaker_history(breaker=name, after=request.GET.get("after") or None, limit=CHANGES)
    except BadCursor as refusal:
        raise Http404 from refusal
    (unit,) = _units(board.places, at)
    told = {
        "board": board,
        "place": unit.place,
        "unit": unit,
        "changes": history,
        "commands": queries.commands(breaker=name, limit=COMMANDS).rows,
        "quorum": settings.BREAKER_QUORUM_PERCENT,
    }
    return render(request, "telemetry/breaker.html", {**told, **_rights(request)})


def _units(places: Sequence[Place], at: datetime) -> list[Unit]:
    """Put beside each place when it was open during the last day, and since when nobody is heard of it."""
    start = at - STRIP
    opened = queries.opened([place.name for place in places], since=start, until=at)
    return [
        Unit(
            place,
            tuple(stretch(cap.start, cap.end, start, at) for cap in opened.get(place.name, ())),
            _silence(place, start, at),
        )
        for place in places
    ]


def _silence(place: Place, start: datetime, at: datetime) -> Stretch | None:
    if place.live or not place.instances:
        return None
    return stretch(max(one.heartbeat_at for one in place.instances), None, start, at)


@login_required
@require_POST
def breaker_command(request: HttpRequest, name: str) -> HttpResponse:
    """Tell a breaker what to do, until when, and why."""
    at, who = now(), actor(request)
    try:
        check(why_not_command(who))
        operations.command_breaker(
            breaker=name,
            verb=_verb(request),
            instances=_instances(request),
            reason=request.POST.get("reason", ""),
            expires_at=at + timedelta(minutes=_minutes(request)),
            by=who,
            at=at,
        )
    except Refused as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(
            request, _("Command sent to %(name)s. Each instance confirms it below.") % {"name": name}
        )
    return redirect("breaker", name)


def _verb(request: HttpRequest) -> CommandVerb:
    asked = request.POST.get("verb", "")
    if asked not in set(CommandVerb):
        raise operations.BadCommand(f"A breaker knows no command {asked[:40]!r}.")
    return CommandVerb(asked)


def _instances(request: HttpRequest) -> tuple[str, ...] | None:
    one = request.POST.get("instance", "")
    return (one,) if one else None


def _minutes(request: HttpRequest) -> int:
    given = request.POST.get("minutes", "")
    return min(LONGEST_MINUTES, int(given)) if given.isdecimal() else 0


def _rights(request: HttpRequest) -> dict[str, object]:
    return {"may_command": why_not_command(actor(request)) is None}
