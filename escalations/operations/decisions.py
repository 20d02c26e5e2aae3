"""What people decide: once per revision, with the loser of every race told who won and kept in the audit."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.canonical import digest
from console.kit.clean import clean_text
from console.kit.refusal import Refused
from escalations import announce, contract
from escalations.domain import lifecycle
from escalations.domain.digest import decision_uuid
from escalations.domain.word import Word, Worded, worded
from escalations.models import Case, Decision, Vote
from escalations.operations.glass import BROKE, locked_to_decide, told_of, without_rules
from escalations.operations.new_tools import insist_on_new_tools_rules
from escalations.operations.opening import IdempotencyConflict
from escalations.operations.rows import current_revision, load, move, put_out, report_within
from escalations.operations.ruling import resumed
from escalations.operations.telling import tell_of_broken_glass
from escalations.operations.votes import cast, quorum_of, voted_before
from escalations.operations.written import what_was_said
from escalations.queries.states import current_decision, state_of
from escalations.queries.wire import decision_of, escalation
from escalations.vocabulary import Action, DeciderKind, DecisionKind, Source, Verb


@dataclass(frozen=True, slots=True)
class Outcome:
    """A decision, and whether this request made it; or a vote that was kept, where more than one has to agree."""

    decision: contract.Decision | None
    created: bool
    vote: contract.VoteKept | None = None


def decide(
    *,
    case_id: UUID,
    said: contract.Decide,
    by: Actor,
    at: datetime,
    source: Source = Source.API,
    leave_held: bool = False,
) -> Outcome:
    """Decide the current revision, or give the decision that this key made before.

    Raises AlreadyDecided with the winner, or StaleRevision; either attempt is kept in the audit although refused.
    `leave_held` is for whoever decides many at once: another's live claim is respected and not only shown.
    """
    try:
        return _decide(case_id=case_id, said=said, by=by, at=at, source=source, leave_held=leave_held)
    except (lifecycle.AlreadyDecided, lifecycle.StaleRevision) as refusal:
        _keep_losing_attempt(case_id=case_id, said=said, by=by, at=at, source=source, refusal=refusal)
        raise


@transaction.atomic(durable=True)
def _decide(
    *, case_id: UUID, said: contract.Decide, by: Actor, at: datetime, source: Source, leave_held: bool
) -> Outcome:
    row, broken = locked_to_decide(case_id, said, by=by, at=at)
    asked = digest(said.model_dump(mode="json", by_alias=True, exclude_unset=True))
    if (known := Decision.objects.filter(case=row, decision_key=said.decision_key).first()) is not None:
        return _repeated(known, asked, by)
    if (kept := voted_before(row, said.decision_key, asked, by)) is not None:
        return Outcome(None, created=False, vote=kept)
    packed = current_revision(row).package
    state = without_rules(state_of(row, packed=packed), broken)
    if leave_held and (refusal := lifecycle.why_not_while_held(state, who=by.id, at=at)) is not None:
        raise refusal
    after = lifecycle.decide(state, who=by.id, at=at, base_revision=said.base_revision, action=said.action)
    decision_id = decision_uuid(row.pk, row.revision, said.decision_key)
    may_become = tuple(row.policy.get("tools_may_become") or ())
    word = worded(packed, word_of(said), decision_id=decision_id, may_become=may_become)
    insist_on_new_tools_rules(row, state, packed, word, by=by, at=at, broken=broken)
    names = by.name
    if quorum_of(row) > 1 and not broken:
        vote = cast(row, state, said, word, by=by, at=at, source=source)
        if not vote.agreed:
            return Outcome(None, created=True, vote=vote.kept)
        names = vote.agreed
    made = put_out(_by_people(row, after, said, word, names=names, asked=asked, by=by, at=at))
    told = {"edits": word.edits, **told_of(said, broken)}
    _close(row, after, made, told=told, by=by, at=at, source=source)
    if broken:
        tell_of_broken_glass(row, by=by, at=at)
    return Outcome(decision_of(made), created=True)


@transaction.atomic(durable=True)
def retract(*, case_id: UUID, by: Actor, at: datetime, source: Source = Source.API) -> contract.Escalation:
    """Take a decision back within the undo window: the revision is open again, and the row stays for history."""
    row = load(case_id, by=by, verb=Verb.RETRACT)
    decision = current_decision(row)
    # By another machine's clock it may have left already: then it is gone, whatever ours says.
    here = decision is not None and decision.delivered_at is None and decision.acknowledged_at is None
    after = lifecycle.retract(
        state_of(row, decision=decision),
        at=at,
        deliver_after=decision.deliver_after if decision is not None and here else None,
    )
    if decision is not None:
        Decision.objects.filter(pk=decision.pk).update(retracted_at=at)
        Vote.objects.filter(case=row, revision=row.revision).delete()  # everybody is asked again
    detail: dict[str, object] = {"decision_id": str(decision.pk) if decision else ""}
    columns: dict[str, Any] = {"decided_at": None, "decided_by": "", "report_due_at": None}
    columns |= resumed(row, at=at)
    move(row, after, verb="retracted", by=by, at=at, source=source, detail=detail, **columns)
    return escalation(row, at=at)


def _by_people(
    row: Case,
    after: lifecycle.State,
    said: contract.Decide,
    word: Worded,
    *,
    names: str,
    asked: str,
    by: Actor,
    at: datetime,
) -> Decision:
    return Decision(
        id=decision_uuid(row.pk, row.revision, said.decision_key),
        case=row,
        agent_id=row.agent_id,
        revision=row.revision,
        kind=DecisionKind.DECISION,
        state=after.decision,
        by_kind=DeciderKind.PERSON,
        by_id=by.id,
        by_name=clean_text(names, limit=160),
        decision_key=said.decision_key,
        request_digest=asked,
        execution=after.execution,
        decided_at=at,
        deliver_after=at + timedelta(seconds=settings.UNDO_WINDOW_S),
        **what_was_said(row, said.action, word),
    )


def _repeated(known: Decision, asked: str, by: Actor) -> Outcome:
    if known.by_id != by.id or known.request_digest != asked:
        raise IdempotencyConflict("This decision key was used for another decision.")
    if known.retracted_at is not None:
        raise IdempotencyConflict("This decision was taken back; decide again under a new key.")
    return Outcome(decision_of(known), created=False)


def word_of(said: contract.Decide) -> Word:
    """Read what a person sent as a word."""
    return Word(
        action=said.action,
        proposal_id=said.proposal_id,
        choices={each.id: (each.run, each.args) for each in said.steps or ()},
        tools={each.id: each.tool for each in said.steps or () if each.tool is not None},
        answered=said.answered,
        answer=said.answer,
        message=clean_text(said.message or ""),
        reason=clean_text(said.reason or ""),
    )


def _close(
    row: Case,
    after: lifecycle.State,
    made: Decision,
    *,
    told: dict[str, object],
    by: Actor,
    at: datetime,
    source: Source,
) -> None:
    runs = after.decision in lifecycle.RUNS
    detail: dict[str, object] = {
        "decision_id": str(made.pk),
        "action": made.action,
        "proposal_id": made.proposal_id,
        "args_digest": made.args_digest,
        "message": made.message,
        "reason": made.reason,
        **told,
    }
    columns: dict[str, Any] = {
        "decided_at": at,
        "decided_by": made.by_name,
        "report_due_at": made.deliver_after + report_within() if runs else None,
    }
    if "broke" in told:
        detail["decision"] = after.decision.value
    verb = BROKE if "broke" in told else after.decision.value
    move(row, after, verb=verb, by=by, at=at, source=source, detail=detail, **columns)


@transaction.atomic(durable=True)
def _keep_losing_attempt(
    *, case_id: UUID, said: contract.Decide, by: Actor, at: datetime, source: Source, refusal: Refused
) -> None:
    """Record what the loser wanted, in a transaction of its own: theirs was rolled back."""
    row, _ = locked_to_decide(case_id, said, by=by, at=at)
    wanted: dict[str, object] = {
        "action": said.action.value,
        "proposal_id": said.proposal_id or "",
        "message": clean_text(said.message or said.reason or ""),
    }
    blind = quorum_of(row) > 1 and row.decision in lifecycle.UNDECIDED
    detail: dict[str, object] = {
        "code": refusal.code,
        "base_revision": said.base_revision,
        "revision": row.revision,
        **({} if blind else wanted),  # how somebody would have voted is as hidden as a vote
        **{name: value for name, value in refusal.extra.items() if name == "winner"},
    }
    record(
        subject=f"case:{row.number}", verb="decision_refused", actor=by, at=at, source=source, detail=detail
    )
    announce.case_changed(case_id=row.pk, version=row.version)


__all__ = ["Action", "Outcome", "decide", "retract", "word_of"]
