"""Who reports here: agents, their keys, and whether their books balance."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from console.kit.http import actor, paged
from console.kit.refusal import Refused
from telemetry import operations, queries
from telemetry.domain.permissions import check, why_not_manage_agents
from telemetry.queries.agent_shapes import LedgerMinute

PAGE, MINUTES = 100, 30
BOOKS = ("stored", "corrected", "duplicate", "rejected")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def agents(request: HttpRequest) -> HttpResponse:
    """List the agents; make one, and show its key once."""
    shown: dict[str, object] = {}
    if request.method == "POST":
        shown = _attempt(request, lambda: _new_agent(request))
    rows = queries.agents(at=now())
    page = paged(request, rows, limit=PAGE, key=lambda row: (row.name,), types=(str,))
    told = {"agents": page.rows, "page": page, "count": len(rows)}
    balanced = all(row.books.balance for row in rows)
    return render(
        request, "telemetry/agents.html", {**told, "balanced": balanced, **_rights(request), **shown}
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def agent(request: HttpRequest, name: str) -> HttpResponse:
    """Show one agent; make it another key, and show that once."""
    agent_id = _id_of(name)
    shown: dict[str, object] = {}
    if request.method == "POST" and "webhook" in request.POST:
        shown = _attempt(request, lambda: _new_webhook(request, agent_id, name))
    elif request.method == "POST":
        shown = _attempt(request, lambda: _new_key(request, agent_id, name))
    page = queries.agent_page(agent_id=agent_id, at=now())
    if page is None:
        raise Http404
    columns = [(minute.books.received, minute.books.rejected) for minute in page.minutes]
    told = {"page": page, "alone": [page.agent], "columns": columns, **_ledger(request, page.ledger)}
    told |= {**_rights(request), **shown}
    return render(request, "telemetry/agent.html", told)


@login_required
@require_POST
def revoke_key(request: HttpRequest, name: str, key_id: int) -> HttpResponse:
    """Revoke one key of an agent."""
    who = actor(request)
    try:
        check(why_not_manage_agents(who))
        operations.revoke_key(key_id=key_id, by=who, at=now())
    except Refused as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, _("Revoked. Requests with this key are refused from now on."))
    return redirect("agent", name)


def _attempt(request: HttpRequest, write: Callable[[], dict[str, object]]) -> dict[str, object]:
    try:
        check(why_not_manage_agents(actor(request)))
        return write()
    except Refused as refusal:
        messages.error(request, refusal.detail)
        return {}


def _new_agent(request: HttpRequest) -> dict[str, object]:
    who, at, name = actor(request), now(), request.POST.get("name", "").strip()
    agent_id = operations.create_agent(name=name, owner_id=int(who.id), by=who, at=at)
    key = operations.issue_key(agent_id=agent_id, label="", by=who, at=at)
    return {"new_key": key, "new_key_for": name}


def _new_key(request: HttpRequest, agent_id: int, name: str) -> dict[str, object]:
    label = request.POST.get("label", "")
    key = operations.issue_key(agent_id=agent_id, label=label, by=actor(request), at=now())
    return {"new_key": key, "new_key_for": name}


def _new_webhook(request: HttpRequest, agent_id: int, name: str) -> dict[str, object]:
    url = request.POST["webhook"].strip()
    try:
        secret = operations.set_webhook(agent_id=agent_id, url=url, by=actor(request), at=now())
    except Refused as refusal:
        return {"webhook_typed": url, "webhook_wrong": refusal.detail}
    return {"new_secret": secret, "new_secret_for": name, "posts_nowhere": not secret}


def _ledger(request: HttpRequest, minutes: Sequence[LedgerMinute]) -> dict[str, object]:
    """Give the minutes behind one of the ledger's sums, or all of them, with their own sum under them."""
    what = request.GET.get("books", "")
    what = what if what in BOOKS else ""
    rows = [minute for minute in minutes if not what or getattr(minute.books, what)]
    page = paged(request, rows, limit=MINUTES, key=_minutes_ago, types=(int,))
    return {"ledger": page, "books": what, "book_words": BOOKS, "minutes": len(rows)}


def _minutes_ago(minute: LedgerMinute) -> tuple[int]:
    return (-int(minute.at.timestamp()),)


def _id_of(name: str) -> int:
    agent_id = queries.agent_named(name)
    if agent_id is None:
        raise Http404
    return agent_id


def _rights(request: HttpRequest) -> dict[str, object]:
    return {"is_admin": why_not_manage_agents(actor(request)) is None}
