"""What an agent sends to hand a task over: the package, its plans, and the next revision of it."""

from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from console.kit.wire import Inbound
from escalations.contract.words import Duration, Json, Key, Line, Name, Object, Text, When
from escalations.vocabulary import Action, OnTimeout, ProposalKind, RunIf, Severity, Trigger
from telemetry.vocabulary import FailureClass, SideEffect


class DoneStep(Inbound):
    """A tool call that was made before the task was handed over."""

    call_id: Name
    tool: Name
    args: Json = None
    result: Json = None
    status: Line = "succeeded"
    side_effect: SideEffect = SideEffect.WRITE
    reversible: bool | None = None
    at: When | None = None


class Attempt(Inbound):
    """One try of the failed call; waits and durations in milliseconds."""

    n: Annotated[int, Field(ge=0, le=10_000)]
    started_at: When | None = None
    duration_ms: Duration | None = None
    wait_ms: Duration = 0
    http_status: Annotated[int, Field(ge=0, le=999)] | None = None
    code: Line | None = None
    failure_class: Annotated[FailureClass | None, Field(alias="class")] = None
    message: Text | None = None


class BreakerSeen(Inbound):
    """The breaker as it stood when the case was made; what else a library knows about it may come along."""

    model_config = ConfigDict(extra="allow")

    name: Name
    state: Line


class CaseFailure(Inbound):
    """The call that could not be recovered, in the shape that tools owe models, with every attempt."""

    call_id: Name
    tool: Name
    failure_class: Annotated[FailureClass | None, Field(alias="class")] = None
    code: Line | None = None
    field: Line | None = None
    constraint: Text | None = None
    received: Json = None
    hint: Text | None = None
    message: Text | None = None
    args: Json = None
    side_effect: SideEffect | None = None
    idempotency_key: Key | None = None
    http_status: Annotated[int, Field(ge=0, le=999)] | None = None
    reasoning: Text | None = None
    attempts: Annotated[tuple[Attempt, ...], Field(max_length=200)] = ()
    breaker: BreakerSeen | None = None


class Condition(Inbound):
    """Run the step only when an earlier one ended like this."""

    step: Name
    ended: Annotated[RunIf, Field(alias="is")]


class PlannedStep(Inbound):
    """A tool call that has not been made; it is made only as somebody decides it."""

    id: Name
    tool: Name
    args: Object = Field(default_factory=dict)
    args_schema: Object | None = None
    side_effect: SideEffect = SideEffect.WRITE
    reversible: bool = False
    compensates: Name | None = None
    reconciles: Name | None = None
    note: Text | None = None
    depends_on: Annotated[tuple[Name, ...], Field(max_length=100)] | None = None
    run_if: Condition | None = None
    idempotency_key: Key


class Proposal(Inbound):
    """A plan that the agent offers."""

    id: Name
    kind: ProposalKind
    title: Annotated[Line, Field(min_length=1)]
    rationale: Text = ""
    risk: Line = ""
    recommended: bool = False
    steps: Annotated[tuple[PlannedStep, ...], Field(max_length=100)] = ()


class Question(Inbound):
    """What the agent wants to know, as the JSON Schema of the answer."""

    response_schema: Object


class Default(Inbound):
    """What happens when nobody decides in time. `approve` is taken only for a plan of reads."""

    action: OnTimeout
    proposal_id: Name | None = None


class Package(Inbound):
    """The task as people see it: what was to be achieved, what was done, what failed, what could be done."""

    trace_id: Annotated[Name, Field(max_length=64)]
    session_id: Name | None = None
    title: Annotated[Line, Field(min_length=1)]
    goal: Text
    trigger: Trigger
    severity: Severity = Severity.MEDIUM
    expires_at: When | None = None
    on_timeout: Default | None = None
    allowed: Annotated[tuple[Action, ...], Field(min_length=1, max_length=4)] = tuple(Action)
    steps: Annotated[tuple[DoneStep, ...], Field(max_length=500)] = ()
    failure: CaseFailure | None = None
    proposals: Annotated[tuple[Proposal, ...], Field(max_length=50)] = ()
    question: Question | None = None
    context: Object | None = None
    attempt: Annotated[int, Field(ge=1, le=10_000)] = 1
    predecessor: Annotated[UUID | None, Field(strict=False)] = None


class OpenCase(Package):
    """The body of `POST /api/v1/escalations`; `key` is unique per agent."""

    key: Key


class ToolEffect(Inbound):
    """What calling a tool does to the world; of a tool that is not named the worst is assumed."""

    side_effect: SideEffect = SideEffect.WRITE
    reversible: bool = False


class AskInKind(Inbound):
    """The body of `POST /api/v1/escalations/kinds/{kind}`: a request as another family writes it."""

    key: Annotated[Key, Field(max_length=200)]
    trace_id: Annotated[Name, Field(max_length=64)]
    session_id: Name | None = None
    trigger: Trigger = Trigger.REQUESTED
    severity: Severity = Severity.MEDIUM
    effects: dict[str, ToolEffect] = Field(default_factory=dict)
    request: Object


class ReviseCase(Package):
    """The body of `PUT /api/v1/escalations/{id}`: the whole package again, on the revision it was made from."""

    base_revision: Annotated[int, Field(ge=1)]


class CancelCase(Inbound):
    """The body of `POST /api/v1/escalations/{id}/cancel`."""

    reason: Text = ""
