"""The calls that were reported, with filters."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.timezone import now
from django.views.decorators.http import require_safe

from console.kit.paging import BadCursor
from telemetry import queries
from telemetry.domain.buckets import cut, start_of
from telemetry.queries import CallFilter
from telemetry.vocabulary import FailureClass, Outcome, RecoveredBy, Window

PAGE = 60
WORDS = ("tool", "agent", "class", "outcome", "code", "by", "window", "from", "to", "failed")
NOBODY = -1  # a name that no agent has finds nothing, not everything


@dataclass(frozen=True, slots=True)
class Filters:
    """What the list was asked for, as its form and its links repeat it."""

    tool: str
    agent: str
    failure_class: str
    outcome: str
    code: str
    window: str
    after: str
    told: tuple[str, ...]
    query: str


@login_required
@require_safe
def calls(request: HttpRequest) -> HttpResponse:
    """List calls, newest first."""
    asked = {word: request.GET.get(word, "").strip() for word in WORDS}
    after = request.GET.get("after") or None
    try:
        page = queries.calls(filters=_filter(asked), after=after, limit=PAGE)
    except BadCursor as refusal:
        raise Http404 from refusal
    told = {
        "page": page,
        "filters": _filters(asked, after),
        "classes": list(FailureClass),
        "outcomes": list(Outcome),
    }
    return render(request, "telemetry/calls.html", told)


def _filter(asked: dict[str, str]) -> CallFilter:
    """Read what the address asks for; a word that is none of ours narrows nothing."""
    since, until = _moment(asked["from"]), _moment(asked["to"])
    if since is None and asked["window"] in set(Window):
        since = start_of(cut(Window(asked["window"]), at=now()).start, 1)
    return CallFilter(
        tool=asked["tool"],
        failure_class=FailureClass(asked["class"]) if asked["class"] in set(FailureClass) else None,
        code=asked["code"],
        outcome=Outcome(asked["outcome"]) if asked["outcome"] in set(Outcome) else None,
        recovered_by=RecoveredBy(asked["by"]) if asked["by"] in set(RecoveredBy) else None,
        agent_id=_agent_id(asked["agent"]),
        failed=bool(asked["failed"]),
        since=since,
        until=until,
    )


def _agent_id(name: str) -> int | None:
    if not name:
        return None
    return queries.agent_named(name) or NOBODY


def _moment(text: str) -> datetime | None:
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else None
    return None


def _filters(asked: dict[str, str], after: str | None) -> Filters:
    given = {word: value for word, value in asked.items() if value}
    return Filters(
        tool=asked["tool"],
        agent=asked["agent"],
        failure_class=asked["class"],
        outcome=asked["outcome"],
        code=asked["code"],
        window=asked["window"],
        after=after or "",
        told=tuple(f"{word}: {value[:60]}" for word, value in given.items()),
        query=urlencode(given),
    )
