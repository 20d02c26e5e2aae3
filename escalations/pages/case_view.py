"""The page of one case."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import telemetry.queries
from console.kit.actor import Actor
from console.kit.difference import Change
from console.kit.http import actor
from console.kit.refusal import Kind, Refused
from escalations import contract, queries
from escalations.domain.permissions import DECIDERS
from escalations.pages import drafts, reasons, rests
from escalations.pages.desk import Desk, decision_key, desk
from escalations.pages.faults import brief, spoken
from escalations.pages.kind_words import not_offered
from escalations.pages.lanes import lanes_of
from escalations.pages.words import ACTIONS, word
from escalations.queries import CasePage, LosingAttempt
from escalations.queries.cause_page import precedents
from escalations.queries.deciders import decider_names
from escalations.queries.posts import chain_posts
from escalations.queries.standing import standing
from escalations.vocabulary import Action, Paused, Verb
from telemetry.queries.owners import agent_webhook

CHECK = "check"  # in ?do=: an answer was tried, what does not fit is marked


@dataclass(frozen=True, slots=True)
class Kept:
    """What a person had written and changed when the form under it went away."""

    words: str
    edits: tuple[str, ...]


@login_required
@never_cache
@require_safe
def case(request: HttpRequest, ref: str) -> HttpResponse:
    """Show what failed, what was done, what can be done, and what became of it."""
    me, at = actor(request), now()
    page = load(ref, me, at)
    typed = drafts.kept(page)
    do = request.GET.get("do", "")
    laid = desk(page, typed, person_id=me.id, checked=do == CHECK)
    context = {
        "at": at,
        "me": me,
        "page": page,
        "desk": laid,
        "decision_key": decision_key(page, me.id),
        "place": standing(case_id=page.row.id, expires_at=page.row.expires_at, person_id=me.id, at=at),
        "loss": _loss(page, me),
        "lanes": lanes_of(page),
        "kept": _kept(page, laid, me),
        "precedents": precedents(fingerprint=page.row.fingerprint, without=page.row.id),
        "reasons": reasons.REASONS,
        "preset": drafts.last(typed, "preset"),
        "glass_words": drafts.last(typed, "break_glass"),
        "do": do,
        **asides_of(page, at=at),
        **_around(page, me, at=at),
        **_permissions(page, me),
    }
    return render(request, "escalations/case.html", context)


def _around(page: CasePage, me: Actor, *, at: datetime) -> dict[str, object]:
    """Give what is going on around the case: the breaker it names, what is rising at its tool, the agent's webhook."""
    named = page.failure.breaker if page.failure else None
    name = str(named.get("name", "")) if named else ""
    places = telemetry.queries.board(at=at, breaker=name).places if name else ()
    tool = page.row.tool
    hook = agent_webhook(agent_id=page.row.agent_id) if page.decision else None
    return {
        "breaker_now": places[0] if places else None,
        "cause_id": telemetry.queries.cause_of_call(
            agent_id=page.row.agent_id, call_id=page.failure.call_id if page.failure else ""
        ),
        "spikes": telemetry.queries.spikes(at=at, tool=tool, only_open=True) if tool else (),
        "has_webhook": hook is not None,
        "held": _held(page, at=at) if page.paused else (),
        "posts": chain_posts(case_id=page.row.id, actor=me).posts,
        "undo_until": page.decision.deliver_after
        if page.decision and page.decision.deliver_after > at
        else None,
    }


def _held(page: CasePage, *, at: datetime) -> tuple[contract.Pause, ...]:
    """Give what holds automatic decisions about this case back."""
    names = {(Paused.AGENT, page.row.agent_name), (Paused.POLICY, str(page.ruled.get("name", "")))}
    return tuple(one for one in queries.pauses(at=at).pauses if (one.kind, one.name) in names)


def asides_of(page: CasePage, *, at: datetime) -> dict[str, object]:
    """Give the menus for passing a case on and letting it rest."""
    open_to = page.row.is_open
    return {
        "may_assign": open_to and page.why_not.get(Verb.ASSIGN) is None,
        "may_snooze": open_to and page.why_not.get(Verb.SNOOZE) is None,
        "people": decider_names() if open_to else (),
        "rests": rests.rests(at=at, due=page.row.expires_at) if open_to else (),
    }


def load(ref: str, me: Actor, at: datetime) -> CasePage:
    """Give the page's value, or 404."""
    try:
        return queries.case_page(ref=ref, actor=me, at=at)
    except Refused as refusal:
        if refusal.kind is Kind.MISSING:
            raise Http404 from refusal
        raise


def _permissions(page: CasePage, me: Actor) -> dict[str, object]:
    """Say what this person may do, and why not what not."""
    refused = page.why_not.get(Verb.DECIDE)
    row = page.row
    why_not = spoken(refused) if refused else _voted(page)
    return {
        "may_decide": not why_not,
        "why_not_decide": why_not,
        "may_edit": not why_not and Action.EDIT in page.allowed,
        "not_offered": () if why_not else not_offered(page),
        "may_claim": page.why_not.get(Verb.CLAIM) is None,
        "may_release": row.holder_id == me.id and page.why_not.get(Verb.RELEASE) is None,
        "may_redeliver": page.why_not.get(Verb.RESOLVE) is None or bool(me.roles & DECIDERS),
        "policy_name": page.policy.rpartition(" v")[0],
        "may_note": page.why_not.get(Verb.NOTE) is None,
        "may_retract": page.why_not.get(Verb.RETRACT) is None and not row.is_open,
        "may_go_on": page.why_not.get(Verb.GO_ON) is None and not row.is_open,
        "may_resolve": page.why_not.get(Verb.RESOLVE) is None,
        "held_by": row.holder_name if row.holder_id not in {"", me.id} else "",
    }


def _voted(page: CasePage) -> str:
    """Say that this person has voted already, blank where they have not."""
    if not page.row.is_open or not page.votes.mine:
        return ""
    said = {"action": word(ACTIONS, page.votes.mine)}
    return gettext("You have voted: %(action)s. Somebody else has to say the same.") % said


def _loss(page: CasePage, me: Actor) -> LosingAttempt | None:
    """Give this person's latest attempt that came too late for the decision that stands."""
    if page.decision is None:
        return None
    mine = [
        each for each in page.losing_attempts if each.by_id == me.id and each.at >= page.decision.decided_at
    ]
    return mine[-1] if mine else None


def _kept(page: CasePage, laid: Desk, me: Actor) -> Kept | None:
    """Give what this person had typed for a form that is gone: another decided, or the agent sent a revision."""
    if page.draft is None or (page.decision is None and not page.draft.stale):
        return None
    if page.decision is not None and page.decision.by_id == me.id:
        return None
    words = "\n".join(drafts.words_in(drafts.fields_of(page.draft.body)))
    changed = laid.chosen.steps if laid.chosen and not page.draft.stale else ()
    edits = tuple(f"{step.step.tool}: {change}" for step in changed for change in map(_change, step.changes))
    return Kept(words, edits) if words or edits else None


def _change(change: Change) -> str:
    return f"{change.path} {brief(change.old)} → {brief(change.new)}"
