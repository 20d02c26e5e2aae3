"""What an agent hands to people: the case, its proposals, and the outcome of what was decided."""

from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import AliasChoices, AwareDatetime, ConfigDict, Field

from switchboard.vocabulary import Trigger
from switchboard.wire.base import ClassWord, EffectWord, Failure, ItemResult, Json, Sent

TriggerWord: TypeAlias = (
    Trigger
    | Literal[
        "auth_failure", "payment_anomaly", "repeated_failure", "loop_limit", "unknown_outcome",
        "policy_conflict", "compensation_failed", "breaker_open", "requested", "other",
    ]
)  # fmt: skip
ActionWord: TypeAlias = Literal["approve", "edit", "reject", "respond"]
Severity: TypeAlias = Literal["low", "medium", "high", "critical"]
ProposalKind: TypeAlias = Literal["compensate", "retry", "alternate", "degrade", "continue"]
ExecutionStatus: TypeAlias = Literal[
    "executing", "executed", "failed", "partial", "never_executed", "unknown"
]


StepStatus: TypeAlias = Literal[
    "executing", "executed", "succeeded", "empty", "failed", "partial", "never_executed", "skipped", "unknown"
]


class DoneStep(Sent):
    """A tool call that was made before the task was handed over."""

    call_id: str
    tool: str
    args: Json = None
    result: Json = None
    status: str = "succeeded"
    side_effect: EffectWord = "write"
    reversible: bool | None = None
    at: AwareDatetime | None = None


class AttemptSeen(Sent):
    """One try of the failed call; waits and durations in milliseconds."""

    n: int
    started_at: AwareDatetime | None = None
    duration_ms: float | None = None
    wait_ms: float = 0.0
    http_status: int | None = None
    code: str | None = None
    class_: ClassWord | None = Field(
        default=None, validation_alias=AliasChoices("class_", "class"), serialization_alias="class"
    )
    message: str | None = None


class BreakerSeen(Sent):
    """The breaker as it stood when the case was made; whatever else is known about it may come along."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    name: str
    state: str


class CaseFailure(Failure):
    """The call that could not be recovered, with every attempt."""

    call_id: str
    tool: str
    args: Json = None
    side_effect: EffectWord | None = None
    idempotency_key: str | None = None
    http_status: int | None = None
    reasoning: str | None = None
    attempts: list[AttemptSeen] = Field(default_factory=list)
    breaker: BreakerSeen | None = None


class RunIf(Sent):
    """Run the step only when an earlier one ended like this."""

    step: str
    is_: Literal["succeeded", "empty", "failed"] = Field(
        validation_alias=AliasChoices("is_", "is"), serialization_alias="is"
    )


class PlannedStep(Sent):
    """A tool call that has not been made: it is made only as a person decided it."""

    id: str
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    args_schema: dict[str, Any] | None = None
    side_effect: EffectWord = "write"
    reversible: bool = False
    compensates: str | None = None
    reconciles: str | None = None
    note: str | None = None
    depends_on: list[str] | None = None
    run_if: RunIf | None = None
    idempotency_key: str


class Proposal(Sent):
    """A plan the agent offers."""

    id: str
    kind: ProposalKind
    title: str
    rationale: str = ""
    risk: str = ""
    recommended: bool = False
    steps: list[PlannedStep] = Field(default_factory=list)


class Question(Sent):
    """What the agent wants to know, as the JSON schema of the answer."""

    response_schema: dict[str, Any]


class OnTimeout(Sent):
    """What the console does when nobody decides in time. `approve` is accepted for plans of reads only."""

    action: Literal["expire", "reject", "approve"]
    proposal_id: str | None = None


class Package(Sent):
    """The task as people see it. What opens a case, and, sent again, what revises it."""

    trace_id: str
    session_id: str | None = None
    title: str
    goal: str
    trigger: TriggerWord
    severity: Severity = "medium"
    expires_at: AwareDatetime | None = None
    on_timeout: OnTimeout | None = None
    allowed: list[ActionWord] | None = None
    steps: list[DoneStep] = Field(default_factory=list)
    failure: CaseFailure | None = None
    proposals: list[Proposal] = Field(default_factory=list)
    question: Question | None = None
    context: dict[str, Json] | None = None
    attempt: int = 1
    predecessor: str | None = None


class StepResult(Sent):
    """What one decided step really did, from the tool's result and never from anyone's words."""

    id: str
    status: StepStatus
    call_id: str | None = None
    result: Json = None
    failure: Failure | None = None
    items: list[ItemResult] | None = None
