"""One case with everything its page shows, in a constant number of statements."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from console.audit import queries as audit
from console.kit.actor import Actor
from console.kit.refusal import Refused
from escalations.domain import lifecycle, package, permissions
from escalations.models import Case, Draft, Note, Outcome, Revision, Vote
from escalations.models import Decision as Row
from escalations.queries import effects
from escalations.queries.decision_view import decision_view, milestones
from escalations.queries.package_view import done_steps, failure_view, proposal_views
from escalations.queries.pauses import held_back
from escalations.queries.policies import match_of_version
from escalations.queries.queue import OPEN, row_of, same_cause
from escalations.queries.related import related_case
from escalations.queries.shapes import (
    CasePage,
    DecisionView,
    DraftView,
    HistoryLine,
    LosingAttempt,
    NoteView,
    RelatedCase,
    VotesView,
    VoteView,
)
from escalations.queries.states import state_of, subject_of
from escalations.queries.waiting import chain_view, glass_for
from escalations.vocabulary import Decision, OnTimeout, Verb

PREFIX = "C-"
MOST_RELATED = 20


def case_id(*, ref: str) -> UUID:
    """Give the id of the case that people call `C-<n>`."""
    digits = ref.removeprefix(PREFIX)
    found = None
    if ref.startswith(PREFIX) and digits.isascii() and digits.isdecimal() and len(digits) <= 18:
        found = Case.objects.filter(number=int(digits)).values_list("pk", flat=True).first()
    if found is None:
        raise permissions.NoSuchCase("There is no such case.")
    return found


def case_page(*, ref: str, actor: Actor, at: datetime) -> CasePage:
    """Give the page of a case; another agent's case, and none at all, are not there."""
    case = Case.objects.get(pk=case_id(ref=ref))
    if (refusal := permissions.why_not(actor, Verb.LOOK, subject_of(case))) is not None:
        raise refusal
    revisions = {each.number: each for each in Revision.objects.filter(case=case)}
    packages = {number: each.package for number, each in revisions.items()}
    rows = list(Row.objects.filter(case=case, retracted_at__isnull=True).order_by("revision"))
    made = next((row for row in rows if row.revision == case.revision), None)
    views = _decisions(case, rows, packages)
    told = _told(case, packages[case.revision])
    steps = effects.after_decisions(effects.with_failure(told.pop("steps"), told["failure"]), views)
    history = audit.history(subject=f"case:{case.number}", limit=500)
    related = _related(case)
    return CasePage(
        row=row_of(case, at=at, same_cause=_alike(case, related)),
        **told,
        steps=steps,
        standing_effects=effects.standing(steps, told["failure"]),
        flags=tuple(revisions[case.revision].flags),
        decision=next((view for view in views if view.revision == case.revision), None),
        earlier_decisions=tuple(view for view in views if view.revision != case.revision),
        losing_attempts=_losing(history),
        milestones=milestones(case, made),
        history=tuple(_line(entry) for entry in history),
        notes=tuple(_note(note) for note in Note.objects.filter(case=case).order_by("at", "id")),
        draft=_draft(case, actor),
        predecessor=_predecessor(case),
        related=related,
        votes=_votes(case, actor),
        **_ruled(case, actor, at),
        deadline_asked=parse_datetime(packages[case.revision].get("expires_at") or ""),
        resolved_at=case.resolved_at,
        resolved_by=case.resolved_by,
        why_not=refusals(case, made, packages[case.revision], actor=actor, at=at),
    )


def refusals(
    case: Case, made: Row | None, packed: Mapping[str, Any], *, actor: Actor, at: datetime
) -> dict[Verb, Refused | None]:
    """Give, for every verb of people, the refusal that the operation would answer with just now."""
    state = state_of(case, decision=made, packed=packed)
    rules = {
        Verb.CLAIM: lifecycle.why_not_claim(state, who=actor.id, at=at),
        Verb.RELEASE: lifecycle.why_not_release(state, who=actor.id, at=at),
        Verb.DECIDE: lifecycle.why_not_decide(state, who=actor.id, at=at),
        Verb.RETRACT: lifecycle.why_not_retract(
            state, at=at, deliver_after=made.deliver_after if made else None
        ),
        Verb.RESOLVE: lifecycle.why_not_resolve(state),
        Verb.ASSIGN: lifecycle.why_not_put_aside(state),
        Verb.SNOOZE: lifecycle.why_not_put_aside(state),
        Verb.GO_ON: lifecycle.why_not_go_on(state),
        Verb.NOTE: None,
        Verb.DRAFT: None,
    }
    subject = subject_of(case)
    return {verb: permissions.why_not(actor, verb, subject) or rule for verb, rule in rules.items()}


def _told(case: Case, packed: Mapping[str, Any]) -> dict[str, Any]:
    default = packed.get("on_timeout") or {}
    return {
        "key": case.key,
        "goal": case.goal,
        "trace_id": case.trace_id,
        "session_id": case.session_id,
        "attempt": packed.get("attempt") or 1,
        "on_timeout": default.get("action") or OnTimeout.EXPIRE.value,
        "on_timeout_proposal": default.get("proposal_id") or "",
        "allowed": tuple(sorted(package.offered(packed))),
        "failure": failure_view(packed),
        "steps": done_steps(packed),
        "proposals": proposal_views(case.pk, case.revision, packed),
        "response_schema": (packed.get("question") or {}).get("response_schema"),
        "context": packed.get("context") or {},
    }


def _ruled(case: Case, actor: Actor, at: datetime) -> dict[str, Any]:
    kept = case.policy
    return {
        "policy": f"{kept['name']} v{kept['version']}" if kept.get("name") else "",
        "ruled": kept if kept.get("name") else {},
        "rule_match": match_of_version(name=kept.get("name", ""), version=kept.get("version", 0)),
        "queue": case.queue,
        "chain": chain_view(case),
        "remind_at": case.remind_at,
        "auto_at": case.auto_at,
        "paused": held_back(case, at=at) if case.decision in OPEN else "",
        "break_glass": glass_for(case, actor, at=at),
        "tools_may_become": tuple(kept.get("tools_may_become") or ()),
    }


def _decisions(
    case: Case, rows: Iterable[Row], packages: Mapping[int, Mapping[str, Any]]
) -> tuple[DecisionView, ...]:
    told: dict[UUID, list[Outcome]] = {}
    for outcome in Outcome.objects.filter(case=case).order_by("reported_at", "id"):
        told.setdefault(outcome.decision_id, []).append(outcome)
    return tuple(decision_view(row, packages[row.revision], told.get(row.pk, ())) for row in rows)


def _losing(history: Iterable[audit.Entry]) -> tuple[LosingAttempt, ...]:
    return tuple(
        LosingAttempt(
            seq=entry.seq,
            by_id=entry.actor_id,
            by_name=entry.actor_name,
            at=entry.at,
            action=str(entry.detail.get("action", "")),
            message=str(entry.detail.get("message", "")),
        )
        for entry in history
        if entry.verb == "decision_refused"
    )


def _line(entry: audit.Entry) -> HistoryLine:
    return HistoryLine(
        seq=entry.seq,
        verb=entry.verb,
        actor_kind=entry.actor_kind,
        actor_name=entry.actor_name,
        source=entry.source,
        at=entry.at,
        detail=entry.detail,
    )


def _note(note: Note) -> NoteView:
    return NoteView(by_id=note.by_id, by_name=note.by_name, text=note.text, at=note.at)


def _votes(case: Case, actor: Actor) -> VotesView:
    quorum = int(case.policy.get("quorum") or 1)
    if quorum == 1:
        return VotesView(quorum=1, given=0, mine="", votes=())
    cast = list(Vote.objects.filter(case=case, revision=case.revision).order_by("at", "id"))
    seen = case.decision != Decision.OPEN
    shown = [VoteView(by_name=vote.person_name, action=vote.action, at=vote.at) for vote in cast if seen]
    mine = next((vote.action for vote in cast if vote.person_id == actor.id), "")
    return VotesView(quorum=quorum, given=len(cast), mine=mine, votes=tuple(shown))


def _draft(case: Case, actor: Actor) -> DraftView | None:
    mine = Draft.objects.filter(case=case, person_id=actor.id, revision__lte=case.revision)
    found = mine.order_by("-revision").first()
    if found is None:
        return None
    stale = found.revision != case.revision
    return DraftView(revision=found.revision, body=found.body, saved_at=found.saved_at, stale=stale)


def _alike(case: Case, related: Collection[RelatedCase]) -> int:
    """Count the undecided cases of its cause, itself among them; asked for only where the list is cut off."""
    if len(related) == MOST_RELATED:
        return same_cause([case]).get(case.fingerprint, 0)
    return sum(each.decision in lifecycle.UNDECIDED for each in related) + (case.decision in OPEN)


def _related(case: Case) -> tuple[RelatedCase, ...]:
    if not case.fingerprint:
        return ()
    alike = Case.objects.filter(fingerprint=case.fingerprint).exclude(pk=case.pk)
    return tuple(related_case(each) for each in alike.order_by("-opened_at", "id")[:MOST_RELATED])


def _predecessor(case: Case) -> RelatedCase | None:
    found = (
        Case.objects.filter(pk=case.predecessor, agent_id=case.agent_id).first() if case.predecessor else None
    )
    return related_case(found) if found else None
