"""What an agent reports about one tool call, and what it is answered."""

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, ConfigDict, Field

from console.kit.refusal import FieldError
from console.kit.wire import Inbound, Moment, Outbound, Word
from telemetry.vocabulary import FailureClass, ItemStatus, Outcome, RecoveredBy, SideEffect

MAX_CALLS = 1_000
Name = Annotated[str, Field(min_length=1, max_length=200)]
Id = Annotated[str, Field(min_length=1, max_length=128)]
TraceId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:\-]{1,64}$")]
Code = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,63}$")]
Text = Annotated[str, Field(max_length=4_000)]
Milliseconds = Annotated[float, Field(ge=-1e13, le=1e13)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]


class Limit(Inbound):
    """How far one of the agent's own limits was used up when the call was made."""

    used: float
    max: float


class Failure(Inbound):
    """Why it failed, in the agent's words; what is absent is classified here."""

    failure_class: Word[FailureClass] | None = Field(default=None, alias="class")
    code: Code | None = None
    field: Annotated[str, Field(max_length=400)] | None = None
    constraint: Text | None = None
    received: Any = None
    hint: Text | None = None
    message: str | None = None


class SeenException(Inbound):
    """An exception as the agent caught it."""

    type: Annotated[str, Field(max_length=400)]
    module: Annotated[str, Field(max_length=400)] | None = None
    message: str | None = None
    code: str | int | None = None
    sqlstate: str | None = None
    errno: int | str | None = None
    cause: Any = None


class Evidence(Inbound):
    """What was seen, raw; it is classified where the agent gives no class."""

    http_status: Annotated[int, Field(ge=0, le=999)] | None = None
    headers: dict[str, Any] | None = None
    body: Any = None
    exception: SeenException | None = None
    grpc_status: int | str | None = None
    exit_code: int | None = None
    stderr: str | None = None


class Attempt(Inbound):
    """One try of the call. Operations and attempts are two series, never one."""

    n: Annotated[int, Field(ge=0, le=10_000)]
    started_at: Moment
    duration_ms: Milliseconds
    wait_ms: Milliseconds = 0
    http_status: Annotated[int, Field(ge=0, le=999)] | None = None
    code: Code | None = None
    failure_class: Word[FailureClass] | None = Field(default=None, alias="class")


class Recovery(Inbound):
    """Who turned the failure into a result, by what, and how long that took."""

    by: Word[RecoveredBy]
    rule: Annotated[str, Field(max_length=200)] | None = None
    action: Annotated[str, Field(max_length=200)] | None = None
    latency_ms: Milliseconds


class Item(Inbound):
    """How one item of a batch ended."""

    key: Annotated[str, Field(max_length=400)]
    status: Word[ItemStatus]
    failure: Failure | None = None


class Call(Inbound):
    """One logical tool call. `call_id` is unique per agent; a higher `rev` of it replaces what was stored."""

    model_config = ConfigDict(title="Call")

    call_id: Id
    rev: Count = 0
    trace_id: TraceId
    span_id: Id | None = None
    parent_span_id: Id | None = None
    session_id: Id | None = None
    agent_version: Id | None = None
    instance: Id | None = None
    round: Count | None = None
    turn_id: Id | None = None
    limits: Annotated[dict[Annotated[str, Field(max_length=80)], Limit], Field(max_length=20)] | None = None
    tool: Name
    dependency: Name | None = None
    side_effect: Word[SideEffect]
    idempotency_key: Annotated[str, Field(max_length=400)] | None = None
    started_at: Moment
    duration_ms: Milliseconds
    timeout_ms: Milliseconds | None = None
    outcome: Word[Outcome] | None = None
    failure: Failure | None = None
    evidence: Evidence | None = None
    args_schema: dict[str, Any] | None = None
    attempts: Annotated[list[Attempt], Field(max_length=200)] = Field(default_factory=list)
    recovery: Recovery | None = None
    retry_of: Id | None = None
    items: Annotated[list[Item], Field(max_length=2_000)] | None = None
    args: Any = None
    result: Any = None
    reasoning: str | None = None
    attributes: dict[str, Any] | None = None


class ReportCalls(Inbound):
    """One to a thousand calls; each is answered for itself."""

    calls: Annotated[list[Call], Field(min_length=1, max_length=MAX_CALLS)]


class RejectedCall(Outbound):
    """An item that was not stored, and why; the others of its batch were."""

    index: int
    call_id: str | None
    code: str
    detail: str
    errors: list[FieldError] = []


class CallsAnswer(Outbound):
    """What became of each item, said after the rows were committed."""

    accepted: int
    duplicate: int
    corrected: int
    rejected: list[RejectedCall] = []

    @cached_property
    def written(self) -> bytes:
        """The JSON of it; many requests share one answer."""
        return self.model_dump_json().encode()


class StoredCall(Outbound):
    """Yes, it is here: what is stored of one call."""

    call_id: str
    rev: int
    stored: Literal[True] = True
    trace_id: str
    tool: str
    outcome: Outcome
    failure_class: FailureClass | None = Field(default=None, serialization_alias="class")
    code: str | None = None
    class_source: str | None = None
    started_at: AwareDatetime
    received_at: AwareDatetime
    duration_ms: float
    attempts: int
    flags: list[str] = []


class FoundCall(StoredCall):
    """One call of a search."""

    agent: str
    recovered_by: RecoveredBy | None = None
    message: str = ""


class CallsFound(Outbound):
    """A page of a search. `after` leads on; with `looked_back_to` the rest has not been looked at yet."""

    calls: list[FoundCall]
    after: str | None = None
    looked_back_to: AwareDatetime | None = None
