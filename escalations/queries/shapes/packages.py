"""What the agent handed over: what failed, what was done, what can be done."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from console.kit.refusal import Refused


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
    """One call that was made before the hand-over.

    `stands` when its effect is still there, `partly` when only some of it came about, `undone` when a decided plan
    has taken it back since.
    """

    n: int
    call_id: str
    tool: str
    args: object
    result: object
    status: str
    side_effect: str
    reversible: bool | None
    stands: bool
    partly: bool
    undone: bool
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
