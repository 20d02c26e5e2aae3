"""The page of the outbox: every delivery, how far it has come, and every attempt."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from console.kit.actor import Actor
from console.kit.http import actor
from console.kit.paging import BadCursor
from console.kit.refusal import Refused
from console.notices import operations, queries, wording
from console.notices.domain.permissions import ADMIN, insist_on_person
from console.notices.pages import words
from console.notices.queries import DeliveryLine
from console.notices.vocabulary import ChannelKind, Dropped, State

PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One line of the log in words."""

    row: DeliveryLine
    headline: str
    title: str
    kind: object
    state: object
    tag: str
    fault: object
    may_redeliver: bool


@login_required
@never_cache
@require_safe
def outbox(request: HttpRequest) -> HttpResponse:
    """Show the log, newest first; of one channel or one state where the address says so."""
    me, asked = actor(request), request.GET
    state = asked.get("state", "")
    channel_id = _number(asked.get("channel", ""))
    everything = ADMIN in me.roles
    try:
        page = queries.deliveries(
            person_id=insist_on_person(me),
            everything=everything,
            channel_id=channel_id,
            state=state,
            after=asked.get("after"),
            limit=PAGE,
        )
    except BadCursor as refusal:
        raise Http404 from refusal
    chosen = {"state": state, "channel": str(channel_id or "")}
    context = {
        "lines": lines_of(page.rows, me),
        "after": page.after,
        "query": urlencode({name: value for name, value in chosen.items() if value}),
        "states": words.STATES.items(),
        "state": state,
        "channel_id": channel_id,
        "everything": everything,
    }
    return render(request, "notices/outbox.html", context)


@login_required
@require_POST
def redeliver(request: HttpRequest, delivery_id: UUID) -> HttpResponse:
    """Send a notice once more, then show the log again."""
    try:
        operations.redeliver(delivery_id=delivery_id, by=actor(request), at=now(), source="page")
        messages.success(request, _("It goes out once more, under its old id."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("outbox")


def lines_of(rows: Iterable[DeliveryLine], me: Actor) -> list[LogLine]:
    """Put lines of the log into words of the active language."""
    return [_line(row, me) for row in rows]


def _line(row: DeliveryLine, me: Actor) -> LogLine:
    told = wording.told(row.item)
    state = State(row.state)
    mine = str(row.person_id) == me.id if row.person_id is not None else ADMIN in me.roles
    fault = words.WHY_NOT.get(Dropped(row.fault)) if state is State.DROPPED else row.fault
    return LogLine(
        row=row,
        headline=told.headline,
        title=told.title,
        kind=words.KINDS[ChannelKind(row.channel_kind)],
        state=words.STATES[state],
        tag=words.TAGS[state],
        fault=fault,
        may_redeliver=mine and not row.channel_removed and state in {State.SENT, State.FAILED, State.DROPPED},
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
