"""The pages that belong to no app or to both: errors, the style guide, going anywhere."""

import re
import sys
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

import telemetry.queries
from console.audit.queries import entries
from console.kit.paging import BadCursor

AUDIT_PAGE = 100
CASE = re.compile(r"^[cC]-?(\d{1,18})$")
TRACE = re.compile(r"^[0-9a-fA-F]{32}$")
PLACES = (
    "overview",
    "queue",
    "teams",
    "pauses",
    "spikes",
    "causes",
    "tools",
    "calls",
    "breakers",
    "agents",
    "policies",
    "audit",
    "people",
    "account",
    "notifications",
    "channels",
    "outbox",
    "styleguide",
)


@login_required
@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Every component in every state."""
    return render(request, "console/styleguide.html")


@login_required
@require_safe
def go(request: HttpRequest) -> HttpResponse:
    """Go to what was named: a case, a trace, a page, an agent; anything else is taken for a tool."""
    to = request.GET.get("to", "").strip()[:200]
    if case := CASE.match(to):
        return redirect("case", ref=f"C-{case[1]}")
    if TRACE.match(to):
        return redirect("trace", trace_id=to.lower())
    if to.lower() in PLACES:
        return redirect(to.lower())
    if to and telemetry.queries.agent_named(to) is not None:
        return redirect("agent", name=to)
    return redirect(f"{reverse('calls')}?{urlencode({'tool': to})}" if to else "calls")


@login_required
@require_safe
def audit(request: HttpRequest) -> HttpResponse:
    """Show who did what, newest first; of one subject or one actor where the address says so."""
    asked = {word: request.GET.get(word, "").strip()[:200] for word in ("subject", "actor")}
    try:
        page = entries(
            after=request.GET.get("after"),
            subject=asked["subject"],
            actor_id=asked["actor"],
            limit=AUDIT_PAGE,
        )
    except BadCursor as refusal:
        raise Http404 from refusal
    query = urlencode({word: value for word, value in asked.items() if value})
    return render(request, "console/audit.html", {"page": page, "asked": asked, "query": query})


API_REFUSALS = {
    400: ("INVALID", "The request could not be read."),
    403: ("FORBIDDEN", "That is not allowed."),
    404: ("NOT_FOUND", "There is nothing at this address; /api/v1/schema lists the addresses there are."),
    500: (
        "INTERNAL",
        "The console itself broke; what was sent may or may not be stored. Ask, or send it again under its id.",
    ),
    503: ("DATABASE_BUSY", "The database is busy. Send the same again."),
}


def misread(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400; somebody who came by a name that is not ours is told so, for it is mostly the setting that lacks."""
    if isinstance(exception, DisallowedHost) and not request.path.startswith("/api/v1/"):
        return render(request, "console/error.html", {"code": "host"}, status=400)
    return _error(request, 400)


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  # Django's signature
    """Answer 404."""
    return _error(request, 404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  # Django's signature
    """Answer 403."""
    return _error(request, 403)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 where the database was busy or away; nothing is asked of it, for it may be what broke."""
    if not isinstance(sys.exception(), OperationalError):
        return _error(request, 500)
    answer = _error(request, 503)
    answer["Retry-After"] = "1"
    return answer


def _error(request: HttpRequest, status: int) -> HttpResponse:
    """Answer a program in the API's one shape of refusal, and a person with a page."""
    if request.path.startswith("/api/v1/"):
        code, detail = API_REFUSALS[status]
        return JsonResponse({"code": code, "detail": detail, "errors": []}, status=status)
    return render(request, "console/error.html", {"code": status}, status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001  # Django's signature
    """Answer a form whose token is not the session's: mostly a page left open over a sign-in."""
    return render(request, "console/error.html", {"code": "csrf"}, status=403)
