"""What an agent reports about one logical tool call, with its attempts."""

from typing import Any, Literal, TypeAlias

from pydantic import AliasChoices, AwareDatetime, Field

from switchboard._ids import uuid7
from switchboard.vocabulary import Outcome, RecoveredBy
from switchboard.wire.base import ClassWord, EffectWord, Failure, ItemResult, Json, Sent

OutcomeWord: TypeAlias = (
    Outcome | Literal["succeeded", "recovered", "degraded", "failed", "escalated", "deferred", "skipped"]
)
RecoveredByWord: TypeAlias = RecoveredBy | Literal["retry", "rule", "model", "fallback", "human"]


class ExceptionSeen(Sent):
    """An exception as it was raised."""

    type: str
    module: str | None = None
    message: str | None = None
    code: str | int | None = None
    sqlstate: str | None = None
    errno: int | str | None = None
    cause: Json = None


class Evidence(Sent):
    """What was seen, raw; the console classifies from it where no class is given."""

    http_status: int | None = None
    headers: dict[str, str] | None = None
    body: Json = None
    exception: ExceptionSeen | None = None
    grpc_status: int | str | None = None
    exit_code: int | None = None
    stderr: str | None = None


class Attempt(Sent):
    """One try of a call. `wait_ms` is how long was waited before it."""

    n: int
    started_at: AwareDatetime
    duration_ms: float
    wait_ms: float = 0.0
    http_status: int | None = None
    code: str | None = None
    class_: ClassWord | None = Field(
        default=None, validation_alias=AliasChoices("class_", "class"), serialization_alias="class"
    )


class Recovery(Sent):
    """Who brought the call through, and how long that took."""

    by: RecoveredByWord
    rule: str | None = None
    action: str | None = None
    latency_ms: float = 0.0


class Limit(Sent):
    """How much of a cap is used."""

    used: float
    max: float


class Call(Sent):
    """One logical tool call. What is left out here, `report` fills in: trace, start, instance, agent version."""

    tool: str
    call_id: str = Field(default_factory=uuid7)
    rev: int = 0
    trace_id: str | None = None
    span_id: str | None = None
    parent_span_id: str | None = None
    session_id: str | None = None
    agent_version: str | None = None
    instance: str | None = None
    round: int | None = None
    turn_id: str | None = None
    limits: dict[str, Limit] | None = None
    dependency: str | None = None
    side_effect: EffectWord = "write"
    idempotency_key: str | None = None
    started_at: AwareDatetime | None = None
    duration_ms: float = 0.0
    timeout_ms: float | None = None
    outcome: OutcomeWord | None = None
    failure: Failure | None = None
    evidence: Evidence | None = None
    args_schema: dict[str, Any] | None = None
    attempts: list[Attempt] = Field(default_factory=list)
    recovery: Recovery | None = None
    retry_of: str | None = None
    items: list[ItemResult] | None = None
    args: Json = None
    result: Json = None
    reasoning: str | None = None
    attributes: dict[str, Json] | None = None
