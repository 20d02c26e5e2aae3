"""What pages get: frozen values that carry everything their page shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from console.kit.refusal import Refused
from escalations.vocabulary import (
    Action,
    Decision,
    DecisionKind,
    Execution,
    Severity,
    Trigger,
    Verb,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """One case in a list. `holder_name` is blank when nobody has a live claim at the time asked for."""

    id: UUID
    ref: str
    title: str
    tool: str
    failure_class: str
    code: str
    agent_id: str
    agent_name: str
    trigger: Trigger
    severity: Severity
    revision: int
    version: int
    decision: Decision
    execution: Execution
    holder_id: str
    holder_name: str
    lease_until: datetime | None
    assignee_name: str
    snoozed_until: datetime | None
    opened_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    decided_by: str
    fingerprint: str
    same_cause: int  # open cases with this fingerprint, itself among them
    recommended: str  # title of the recommended plan, or of the only one; blank where there is neither
    needs_attention: bool

    @property
    def is_open(self) -> bool:
        """Say whether somebody can still decide it."""
        return self.decision in {Decision.OPEN, Decision.DISPUTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class RailCounts:
    """The numbers beside the rail's entries and the queue's tabs; each equals its list's length."""

    open: int
    unclaimed: int
    mine: int
    attention: int
    snoozed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptView:
    """One try of a call; durations and waits in milliseconds, `offset_ms` from the first try's start."""

    n: int
    started_at: datetime | None
    offset_ms: float
    duration_ms: float | None
    wait_ms: float
    http_status: int | None
    code: str
    failure_class: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureView:
    """What failed. Everything here came from the agent or its tools: quoted, never trusted."""

    call_id: str
    tool: str
    failure_class: str
    code: str
    field: str
    constraint: str
    received: object
    received_given: bool
    hint: str
    message: str
    reasoning: str
    args: object
    side_effect: str
    idempotency_key: str
    http_status: int | None
    attempts: tuple[AttemptView, ...]
    total_ms: float
    breaker: Mapping[str, object] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneStepView:
    """One call that was made before the hand-over; `stands` when its effect is still there to be undone."""

    n: int
    call_id: str
    tool: str
    args: object
    result: object
    status: str
    side_effect: str
    reversible: bool | None
    stands: bool
    unknown: bool
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStepView:
    """One step of a plan. `refs` are the paths of redacted values, which cannot be edited."""

    n: int
    id: str
    tool: str
    args: Mapping[str, object]
    args_schema: Mapping[str, object] | None
    side_effect: str
    reversible: bool
    compensates: str
    reconciles: str
    note: str
    depends_on: tuple[str, ...]
    run_if_step: str
    run_if_is: str
    idempotency_key: str
    resends_unknown: bool
    refs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalView:
    """A plan that the agent offers; `why_not` says why it cannot be approved as it stands."""

    id: str
    letter: str
    kind: str
    title: str
    rationale: str
    risk: str
    recommended: bool
    steps: tuple[PlanStepView, ...]
    irreversible: int
    reads_only: bool
    digest: str
    why_not: Refused | None


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
class HistoryLine:
    """One audit entry of the case."""

    seq: int
    verb: str
    actor_kind: str
    actor_name: str
    source: str
    at: datetime
    detail: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """What one person wrote for the next."""

    by_id: str
    by_name: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftView:
    """What the asking person has begun; `stale` when it was made on an earlier revision."""

    revision: int
    body: Mapping[str, object]
    saved_at: datetime
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedCase:
    """Another case of the same cause."""

    id: UUID
    ref: str
    title: str
    agent_name: str
    decision: Decision
    execution: Execution
    holder_name: str
    decided_by: str
    opened_at: datetime
    decided_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LosingAttempt:
    """A decision that came too late, as the audit keeps it."""

    seq: int
    by_id: str
    by_name: str
    at: datetime
    action: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """Everything on a case's page, in reading order. `why_not` has the refusal for each verb, None where allowed."""

    row: QueueRow
    key: str
    goal: str
    trace_id: str
    session_id: str
    attempt: int
    predecessor: RelatedCase | None
    on_timeout: str
    on_timeout_proposal: str
    allowed: tuple[Action, ...]
    failure: FailureView | None
    steps: tuple[DoneStepView, ...]
    standing_effects: int
    proposals: tuple[ProposalView, ...]
    response_schema: Mapping[str, object] | None
    context: Mapping[str, object]
    flags: tuple[str, ...]
    decision: DecisionView | None
    earlier_decisions: tuple[DecisionView, ...]
    losing_attempts: tuple[LosingAttempt, ...]
    milestones: tuple[Milestone, ...]
    history: tuple[HistoryLine, ...]
    notes: tuple[NoteView, ...]
    draft: DraftView | None
    related: tuple[RelatedCase, ...]
    resolved_at: datetime | None
    resolved_by: str
    why_not: Mapping[Verb, Refused | None]
