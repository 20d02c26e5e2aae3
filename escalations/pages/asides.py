"""Putting a case aside, passing it on, posting its decision again: small forms, one operation each."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from console.kit.actor import Actor
from console.kit.http import actor
from console.kit.moments import short
from console.kit.refusal import Refused
from escalations import operations, queries
from escalations.pages import rests
from escalations.pages.faults import spoken
from escalations.vocabulary import Source

Operation = Callable[[UUID, Actor, datetime], object]


@login_required
@require_POST
def assign(request: HttpRequest, ref: str) -> HttpResponse:
    """Put a case on somebody's list, or on nobody's."""
    person = request.POST.get("person", "").strip()

    def operation(case_id: UUID, me: Actor, at: datetime) -> object:
        return operations.assign(case_id=case_id, to=person, by=me, at=at, source=Source.PAGE)

    said = _("%(ref)s is on the list of %(name)s.") if person else _("%(ref)s is on nobody's list.")
    return do(request, ref, operation, said=said % {"ref": ref, "name": person})


@login_required
@require_POST
def snooze(request: HttpRequest, ref: str) -> HttpResponse:
    """Let a case rest until a time before its deadline, or wake it."""
    at = now()
    waking = request.POST.get("for") == "wake"
    until = None if waking else rests.until(request.POST.get("for", ""), request.POST.get("at", ""), at=at)
    if until is None and not waking:
        messages.error(request, _("That is no time; nothing was changed."))
        return back(request, ref)

    def operation(case_id: UUID, me: Actor, at: datetime) -> object:
        return operations.snooze(case_id=case_id, until=until, by=me, at=at, source=Source.PAGE)

    if until is None:
        return do(request, ref, operation, said=_("%(ref)s is awake again.") % {"ref": ref})
    told = {"ref": ref, "time": short(until, now=at, seconds=False)}
    return do(request, ref, operation, said=_("%(ref)s rests until %(time)s.") % told)


@login_required
@require_POST
def redeliver(request: HttpRequest, ref: str) -> HttpResponse:
    """Post the decision to the agent's webhook once more."""

    def operation(case_id: UUID, me: Actor, at: datetime) -> object:
        return operations.redeliver(case_id=case_id, by=me, at=at, source=Source.PAGE)

    return do(request, ref, operation, said=_("%(ref)s is posted again now.") % {"ref": ref})


@login_required
@require_POST
def redeliver_post(request: HttpRequest, ref: str, post_id: UUID) -> HttpResponse:
    """Post one message of the case's chain once more."""

    def operation(case_id: UUID, me: Actor, at: datetime) -> object:
        return operations.redeliver_chain_post(
            case_id=case_id, post_id=post_id, by=me, at=at, source=Source.PAGE
        )

    return do(request, ref, operation, said=_("The message of the chain is posted again now."))


@login_required
@require_POST
def go_on(request: HttpRequest, ref: str) -> HttpResponse:
    """Put what a plan left undone before people as the case's next revision."""
    text = request.POST.get("base_revision", "")
    base = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0

    def operation(case_id: UUID, me: Actor, at: datetime) -> object:
        return operations.open_rest(case_id=case_id, base_revision=base, by=me, at=at, source=Source.PAGE)

    return do(request, ref, operation, said=_("What was left of the plan is up for decision."))


def do(request: HttpRequest, ref: str, operation: Operation, *, said: str = "") -> HttpResponse:
    """Do one thing to a case, say what became of it, and go back to where it was asked."""
    me, at = actor(request), now()
    try:
        operation(queries.case_id(ref=ref), me, at)
    except Refused as refusal:
        messages.error(request, spoken(refusal))
    else:
        if said:
            messages.success(request, said)
    return back(request, ref)


def back(request: HttpRequest, ref: str) -> HttpResponse:
    """Go back to the page of ours that asked, or to the case."""
    place = request.POST.get("back", "")
    if ours(place):
        return redirect(place)
    return redirect("case", ref=ref)


def ours(place: str) -> bool:
    """Say whether an address is one of the lists a person may be sent back to."""
    return place.startswith(("/queue/", "/groups/")) and url_has_allowed_host_and_scheme(place, None)
