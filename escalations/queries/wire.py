"""Rows as the contract promises them: what agents and REST clients are answered."""

from datetime import datetime
from typing import Any

from escalations import contract
from escalations.models import Case, Decision, Revision
from escalations.vocabulary import Action, DeciderKind, DecisionKind, Execution, Severity, Trigger
from escalations.vocabulary import Decision as Decided


def escalation(row: Case, *, at: datetime) -> contract.Escalation:
    """Give a case without its package; a lapsed claim is nobody's."""
    return contract.Escalation(**_told(row, at))


def whole(
    row: Case, revision: Revision, decision: Decision | None, *, at: datetime
) -> contract.EscalationWhole:
    """Give a case with its current package and the decision about it."""
    return contract.EscalationWhole(
        **_told(row, at),
        package=revision.package,
        flags=tuple(revision.flags),
        current_decision=decision_of(decision) if decision else None,
    )


def decision_of(row: Decision) -> contract.Decision:
    """Give the one row that every way of delivery carries; `answer` is set only where one was given."""
    given = {"answer": row.answer} if row.answered else {}
    return contract.Decision(
        kind=DecisionKind(row.kind),
        decision_id=row.id,
        escalation_id=row.case_id,
        revision=row.revision,
        seq=row.seq,
        action=Action(row.action) if row.action else None,
        by=contract.By(kind=DeciderKind(row.by_kind), name=row.by_name) if row.by_kind else None,
        proposal_id=row.proposal_id or None,
        steps=tuple(contract.FinalStep.model_validate(step) for step in row.steps),
        message=row.message,
        reason=row.reason,
        args_digest=row.args_digest,
        decided_at=row.decided_at,
        **given,
    )


def spelled(decision: contract.Decision) -> dict[str, Any]:
    """Write a decision as JSON values; the key `answer` is there only when an answer is."""
    told = decision.model_dump(mode="json", by_alias=True)
    if "answer" not in decision.model_fields_set:
        del told["answer"]
    return told


def _told(row: Case, at: datetime) -> dict[str, Any]:
    held = row.lease_until is not None and at < row.lease_until
    return {
        "id": row.id,
        "ref": str(row),
        "key": row.key,
        "agent_id": row.agent_id,
        "agent": row.agent_name,
        "revision": row.revision,
        "version": row.version,
        "decision": Decided(row.decision),
        "execution": Execution(row.execution),
        "title": row.title,
        "trigger": Trigger(row.trigger),
        "severity": Severity(row.severity),
        "tool": row.tool,
        "failure_class": row.failure_class,
        "code": row.code,
        "trace_id": row.trace_id,
        "opened_at": row.opened_at,
        "expires_at": row.expires_at,
        "decided_at": row.decided_at,
        "holder": row.holder_name if held else None,
        "lease_until": row.lease_until if held else None,
    }
