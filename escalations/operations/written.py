"""Decision rows that no person wrote: a declared default's and a policy's, by one function."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from escalations.domain import lifecycle
from escalations.domain.digest import args_digest
from escalations.domain.word import Word, Worded, worded
from escalations.models import Case, Decision
from escalations.operations.rows import put_out
from escalations.vocabulary import Action, DeciderKind, DecisionKind


def decision_by_rule(
    row: Case,
    packed: Mapping[str, Any],
    after: lifecycle.State,
    word: Word,
    *,
    kind: DeciderKind,
    name: str,
    at: datetime,
    deliver_after: datetime,
    decision_id: UUID,
) -> Decision:
    """Store what a rule says, made by the same function as a person's word, and put it out."""
    final = worded(packed, word, decision_id=decision_id)
    return put_out(
        Decision(
            id=decision_id,
            case=row,
            agent_id=row.agent_id,
            revision=row.revision,
            kind=DecisionKind.DECISION,
            state=after.decision,
            by_kind=kind,
            by_id=name[:64] if kind is DeciderKind.POLICY else "",
            by_name=name,
            execution=after.execution,
            decided_at=at,
            deliver_after=deliver_after,
            **what_was_said(row, word.action, final),
        )
    )


def what_was_said(row: Case, action: Action, word: Worded) -> dict[str, Any]:
    """Give the columns of a word and of the digest over its steps."""
    return {
        "action": action,
        "proposal_id": word.proposal_id,
        "steps": list(word.steps),
        "answered": word.answered,
        "answer": word.answer,
        "message": word.message,
        "reason": word.reason,
        "args_digest": args_digest(row.pk, row.revision, word.steps),
    }
