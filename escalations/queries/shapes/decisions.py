"""What was decided, step by step, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from escalations.vocabulary import Action, Decision, DecisionKind, Execution


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalStepView:
    """One step as decided, and what the agent reported of it."""

    n: int
    id: str
    tool: str
    args: Mapping[str, object]
    proposed_args: Mapping[str, object] | None
    run: bool
    edited: bool
    side_effect: str
    reversible: bool
    idempotency_key: str
    depends_on: tuple[str, ...]
    run_if_step: str
    run_if_is: str
    compensates: str
    status: str  # a StepStatus, or blank while nothing was reported
    result: object
    failure: Mapping[str, object] | None
    items: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionView:
    """What was decided about one revision, and what became of it."""

    id: UUID
    revision: int
    kind: DecisionKind
    state: Decision
    action: Action | None
    by_kind: str
    by_id: str
    by_name: str
    proposal_id: str
    proposal_title: str
    steps: tuple[FinalStepView, ...]
    edits: int
    answered: bool
    answer: object
    message: str
    reason: str
    args_digest: str
    decided_at: datetime
    deliver_after: datetime
    delivered_at: datetime | None
    delivered_by: str
    acknowledged_at: datetime | None
    reported_at: datetime | None
    execution: Execution
    webhook_at: datetime | None  # when it is posted next, None where it is not
    webhook_tries: int
    webhook_error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    """One line of opened → decided → delivered → acknowledged → outcome. `after` is counted from the decision."""

    name: str  # opened | decided | delivered | acknowledged | outcome | attention
    state: str  # done | now | next | bad
    at: datetime | None
    after: timedelta | None
    word: str  # the decision's or execution's word, blank where the name says it all
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LosingAttempt:
    """A decision that came too late, as the audit keeps it."""

    seq: int
    by_id: str
    by_name: str
    at: datetime
    action: str
    message: str
