"""The panel of breakers, one breaker with its history, and commands."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from console.kit.http import actor, paged
from console.kit.refusal import Refused
from telemetry import operations, queries
from telemetry.domain.permissions import check, why_not_command
from telemetry.vocabulary import CommandVerb

PANEL = 60  # places a panel
LONGEST_MINUTES = 7 * 24 * 60


@login_required
@require_safe
def breakers(request: HttpRequest) -> HttpResponse:
    """Show every breaker of the fleet at its place."""
    board = queries.board(at=now())
    page = paged(request, board.places, limit=PANEL, key=lambda place: (place.place,), types=(int,))
    return render(request, "telemetry/breakers.html", {"board": board, "page": page, **_rights(request)})


@login_required
@require_safe
def breaker(request: HttpRequest, name: str) -> HttpResponse:
    """Show one breaker, its instances and its history."""
    board = queries.board(at=now(), breaker=name)
    if not board.places:
        raise Http404
    return render(
        request, "telemetry/breaker.html", {"board": board, "place": board.places[0], **_rights(request)}
    )


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
