"""What forms of these pages share: one write, its refusal in words, and the way back to where the form stood."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from console.kit.actor import Actor
from console.kit.http import actor
from console.kit.refusal import Refused
from telemetry.domain.permissions import check


def attempt(
    request: HttpRequest,
    write: Callable[[], object],
    *,
    why_not: Callable[[Actor], Refused | None],
    done: str,
) -> bool:
    """Write if this one may, and say what became of it."""
    try:
        check(why_not(actor(request)))
        write()
    except Refused as refusal:
        told = "; ".join(f"{one.field}: {one.constraint}" for one in refusal.errors)
        messages.error(request, f"{refusal.detail} {told}".strip())
        return False
    messages.success(request, done)
    return True


def back(request: HttpRequest, otherwise: str) -> HttpResponse:
    """Go back to the page that the form stood on; an address outside leads nowhere."""
    to = request.POST.get("next", "")
    inside = to.startswith("/") and url_has_allowed_host_and_scheme(to, allowed_hosts=None)
    return redirect(to if inside else otherwise)
