"""What agents say about their breakers, and what people tell the breakers."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, AliasChoices, AwareDatetime, Field

from console.kit.calendar import within
from console.kit.refusal import FieldError
from console.kit.wire import Inbound, Outbound
from telemetry.contract.calls import Count, Id, Milliseconds, Name
from telemetry.vocabulary import (
    AckStatus,
    BreakerReason,
    BreakerScope,
    BreakerState,
    CommandVerb,
    FailureClass,
)

MAX_EVENTS = 1_000
Moment = Annotated[AwareDatetime, AfterValidator(within)]
Sequence = Annotated[int, Field(ge=0, le=2**53)]
Rate = Annotated[float, Field(ge=0, le=1)]
# The reference says `instance_id`; the paths and our SDK say `instance`. Both are taken.
InstanceId = Annotated[Id, Field(validation_alias=AliasChoices("instance_id", "instance"))]
BootId = Annotated[str, Field(min_length=1, max_length=64)]


class BreakerWindow(Inbound):
    """What the breaker has counted when it said this."""

    type: Annotated[str, Field(pattern="^(count|time)$")] = "count"
    size: Annotated[float, Field(ge=0, le=1e9)] | None = None
    calls: Count = 0
    failed: Count = 0
    slow: Count = 0
    not_permitted: Count = 0
    ignored: Count = 0
    failure_rate: Rate | None = None


class BreakerThresholds(Inbound):
    """When it opens, and how long it waits then."""

    failure_rate: Rate | None = None
    slow_rate: Rate | None = None
    consecutive: Count | None = None
    min_calls: Count | None = None
    slow_ms: Milliseconds | None = None
    wait_s: Annotated[float, Field(ge=0, le=1e9)] | None = None
    probes: Count | None = None


class BreakerTrigger(Inbound):
    """The call that tipped it."""

    trace_id: Id | None = None
    span_id: Id | None = None
    call_id: Id | None = None
    error_type: Name | None = None


class BreakerEvent(Inbound):
    """One change of one breaker in one instance. `boot_id` names one life of the process, `seq` counts in it."""

    event_id: UUID
    breaker: Name
    scope: BreakerScope = BreakerScope.PROVIDER
    tool: Name | None = None
    instance_id: InstanceId
    boot_id: BootId
    seq: Sequence
    occurred_at: Moment
    from_state: BreakerState
    to_state: BreakerState
    reason: BreakerReason
    window: BreakerWindow | None = None
    thresholds: BreakerThresholds | None = None
    counted_classes: list[FailureClass] | None = None
    class_counts: dict[FailureClass, Count] | None = None
    open_until: Moment | None = None
    trigger: BreakerTrigger | None = None
    command_id: UUID | None = None


class ReportBreakerEvents(Inbound):
    """One to a thousand changes; each is answered for itself."""

    events: Annotated[list[BreakerEvent], Field(min_length=1, max_length=MAX_EVENTS)]


class RejectedEvent(Outbound):
    """An event that was not stored, and why; the others of its batch were."""

    index: int
    event_id: str | None
    code: str
    detail: str
    errors: list[FieldError] = []


class BreakerEventsAnswer(Outbound):
    """What became of each event, said after the rows were committed."""

    accepted: int
    duplicate: int
    rejected: list[RejectedEvent] = []


class BreakerNow(Inbound):
    """One breaker as it stands in an instance. `seq` is that of its last event in this boot, 0 before any."""

    breaker: Name
    scope: BreakerScope = BreakerScope.PROVIDER
    tool: Name | None = None
    state: BreakerState
    since: Moment
    seq: Sequence
    window: BreakerWindow | None = None
    thresholds: BreakerThresholds | None = None
    counted_classes: list[FailureClass] | None = None
    open_until: Moment | None = None


class Heartbeat(Inbound):
    """All breakers of an instance; sent every few seconds, so that silence can be seen."""

    boot_id: BootId
    sent_at: Moment
    agent_version: Id | None = None
    labels: Annotated[dict[str, str], Field(max_length=20)] = {}
    breakers: Annotated[list[BreakerNow], Field(max_length=500)]


class HeartbeatAnswer(Outbound):
    """The console has taken it; `stale_after_s` says how long silence may last, `commands_after` the newest command."""

    instance: str
    stale_after_s: int
    commands_after: int
    ignored: bool = False


class IssueCommand(Inbound):
    """What a person tells a breaker; every field of it is shown to the agents."""

    command: CommandVerb
    reason: Annotated[str, Field(min_length=3, max_length=400)]
    expires_at: Moment
    instances: Annotated[list[Id], Field(min_length=1, max_length=200)] | None = None
    expected_state: BreakerState | None = None


class BreakerCommand(Outbound):
    """One command as an instance receives it. `number` grows; ask for what comes after the highest you know."""

    command_id: UUID
    number: int
    breaker: str
    command: CommandVerb
    instances: list[str] | None = None
    expected_state: BreakerState | None = None
    reason: str
    by: str
    issued_at: AwareDatetime
    expires_at: AwareDatetime


class BreakerCommands(Outbound):
    """The commands an instance has to know, oldest first, and the cursor for the next question."""

    commands: list[BreakerCommand]
    after: int


class AcknowledgeCommand(Inbound):
    """What an instance did with a command."""

    command_id: UUID
    instance_id: InstanceId
    status: AckStatus
    state: BreakerState | None = None
    at: Moment
    detail: Annotated[str, Field(max_length=400)] | None = None
