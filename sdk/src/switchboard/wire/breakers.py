"""What breakers tell the console, and what the console may tell breakers."""

from datetime import datetime
from enum import StrEnum
from typing import Literal, TypeAlias

from pydantic import AwareDatetime, Field

from switchboard.vocabulary import BreakerState
from switchboard.wire.base import Received, Sent

StateWord: TypeAlias = (
    BreakerState | Literal["closed", "open", "half_open", "forced_open", "disabled", "metrics_only"]
)
ReasonWord: TypeAlias = Literal[
    "failure_rate", "slow_rate", "consecutive", "probe_failed", "probe_ok", "wait_elapsed",
    "manual_local", "command", "startup",
]  # fmt: skip
ScopeWord: TypeAlias = Literal["tool", "provider", "mcp_server"]


class Window(Sent):
    """What a breaker counted in its window."""

    type: Literal["count", "time"] = "count"
    size: float | None = None
    calls: int = 0
    failed: int = 0
    slow: int = 0
    not_permitted: int = 0
    ignored: int = 0
    failure_rate: float | None = None


class Thresholds(Sent):
    """When a breaker opens."""

    failure_rate: float | None = None
    slow_rate: float | None = None
    consecutive: int | None = None
    min_calls: int | None = None
    slow_ms: float | None = None
    wait_s: float | None = None
    probes: int | None = None


class Cause(Sent):
    """The call that moved a breaker."""

    trace_id: str | None = None
    span_id: str | None = None
    call_id: str | None = None
    error_type: str | None = None


class BreakerEvent(Sent):
    """One transition. The link adds event id, instance, boot and sequence number."""

    breaker: str
    from_state: StateWord
    to_state: StateWord
    reason: ReasonWord
    occurred_at: AwareDatetime | None = None
    scope: ScopeWord = "provider"
    tool: str | None = None
    window: Window | None = None
    thresholds: Thresholds | None = None
    counted_classes: list[str] | None = None
    class_counts: dict[str, int] | None = None
    open_until: AwareDatetime | None = None
    trigger: Cause | None = None
    command_id: str | None = None


class BreakerSnapshot(Sent):
    """A breaker as it stands, for the heartbeat."""

    state: StateWord
    since: AwareDatetime
    scope: ScopeWord = "provider"
    tool: str | None = None
    window: Window | None = None
    thresholds: Thresholds | None = None
    counted_classes: list[str] | None = None
    open_until: AwareDatetime | None = None


class Verb(StrEnum):
    """What the console may ask of a breaker."""

    FORCE_OPEN = "force_open"
    RESET = "reset"
    DISABLE = "disable"
    RELEASE = "release"


class BreakerCommand(Received):
    """An order from a person, with who and why. `number` grows; it is handed over once, and never when expired."""

    command_id: str
    number: int
    breaker: str
    verb: Verb = Field(alias="command")
    instances: tuple[str, ...] | None = None
    reason: str = ""
    actor: str = Field(default="", alias="by")
    expected_state: str | None = None
    issued_at: datetime | None = None
    expires_at: datetime | None = None


class Obeyed(StrEnum):
    """What a breaker did about a command."""

    APPLIED = "applied"
    REFUSED = "refused"
    EXPIRED = "expired"
    UNSUPPORTED = "unsupported"
