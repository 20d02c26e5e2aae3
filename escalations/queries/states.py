"""A case's row as the rules see it."""

from collections.abc import Mapping
from typing import Any

from escalations.domain import package, permissions
from escalations.domain.lifecycle import UNDECIDED, State, Winner
from escalations.models import Case, Decision
from escalations.vocabulary import Action, Execution
from escalations.vocabulary import Decision as Decided


def subject_of(row: Case) -> permissions.Subject:
    """Give what permission looks at."""
    return permissions.Subject(
        agent_id=row.agent_id,
        agent_owner_id=row.agent_owner_id,
        four_eyes=bool(row.policy.get("four_eyes")),
    )


def current_decision(row: Case) -> Decision | None:
    """Give the decision about the current revision, where there is one."""
    return Decision.objects.filter(case=row, revision=row.revision, retracted_at__isnull=True).first()


def state_of(
    row: Case, *, decision: Decision | None = None, packed: Mapping[str, Any] | None = None
) -> State:
    """Give the case as the rules see it. Give what was loaded already; a decided case needs its decision."""
    if decision is None and Decided(row.decision) not in UNDECIDED:
        decision = current_decision(row)
    return State(
        revision=row.revision,
        decision=Decided(row.decision),
        execution=Execution(row.execution),
        expires_at=row.expires_at,
        holder_id=row.holder_id,
        holder_name=row.holder_name,
        lease_until=row.lease_until,
        allowed=frozenset(Action) if packed is None else package.offered(packed),
        require_claim=bool(row.policy.get("require_claim")),
        resolved=row.resolved_at is not None,
        winner=winner_of(decision) if decision else None,
    )


def winner_of(row: Decision) -> Winner:
    """Give whose decision stands."""
    return Winner(
        decision_id=row.id,
        revision=row.revision,
        state=Decided(row.state),
        action=Action(row.action) if row.action else None,
        kind=row.by_kind or row.kind,
        name=row.by_name,
        decided_at=row.decided_at,
    )
