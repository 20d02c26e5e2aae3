"""The calls that were reported: the list with its filters, and all calls of one trace."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from console.kit.lanes import Drawn, Scale, Span
from console.kit.paging import BadCursor
from telemetry import queries
from telemetry.domain.buckets import cut, start_of
from telemetry.queries import AttemptRow, CallDetail, CallFilter, Trace
from telemetry.vocabulary import FailureClass, Outcome, RecoveredBy, Window

PAGE = 60
LOOKS = {"invalid_args": "args", "unknown_outcome": "unknown"}
LABEL_INSIDE_FROM = 78.0  # percent: from here a lane's label stands left of its bar
WORDS = ("tool", "agent", "class", "outcome", "code", "by", "window", "from", "to", "failed", "q")
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


@dataclass(frozen=True, slots=True)
class Lane:
    """One call of the waterfall."""

    call: CallDetail
    spans: tuple[Drawn, ...]
    label: str
    label_x: str
    label_end: bool


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


@login_required
@require_safe
def trace(request: HttpRequest, trace_id: str) -> HttpResponse:
    """Show all calls of one trace on one axis, then each in full."""
    found = queries.trace(trace_id=trace_id)
    if found is None:
        raise Http404
    seconds = (found.ended_at - found.started_at).total_seconds()
    scale = Scale(seconds)
    told = {
        "trace": found,
        "first": found.calls[0],
        "attempts": sum(max(1, len(call.attempts)) for call in found.calls),
        "seconds": seconds,
        "ticks": scale.ticks(_("s")),
        "lanes": [_lane(call, found, scale) for call in found.calls],
        "classes_seen": _classes(found),
    }
    return render(request, "telemetry/trace.html", told)


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


def _lane(call: CallDetail, whole: Trace, scale: Scale) -> Lane:
    start = (call.row.started_at - whole.started_at).total_seconds()
    end = start + call.row.duration_ms / 1000
    spans = _attempts(call, whole) or [Span(start, end, _look(call.row.failure_class))]
    at_end = scale.at(end)
    inside = at_end > LABEL_INSIDE_FROM
    return Lane(
        call=call,
        spans=scale.draw(spans),
        label=", ".join(_said(one) for one in call.attempts[:4]) if len(call.attempts) > 1 else "",
        label_x=f"{scale.at(start) if inside else at_end:.2f}%",
        label_end=inside,
    )


def _attempts(call: CallDetail, whole: Trace) -> list[Span]:
    spans: list[Span] = []
    for one in call.attempts:
        start = (one.started_at - whole.started_at).total_seconds()
        if one.wait_ms and spans:
            spans.append(Span(spans[-1].end, start, kind="wait"))
        spans.append(Span(start, start + one.duration_ms / 1000, _look(one.failure_class)))
    return spans


def _said(one: AttemptRow) -> str:
    return str(one.http_status or one.code or (_("ok") if one.failure_class is None else one.failure_class))


def _look(failure_class: FailureClass | None) -> str:
    return "ink3" if failure_class is None else LOOKS.get(failure_class, failure_class.value)


def _classes(found: Trace) -> Sequence[FailureClass]:
    seen = {call.row.failure_class for call in found.calls} | {
        one.failure_class for call in found.calls for one in call.attempts
    }
    return [name for name in FailureClass if name in seen]
