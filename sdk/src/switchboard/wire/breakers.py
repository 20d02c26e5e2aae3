"""What breakers tell the console, and what the console may tell breakers."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from pydantic import AwareDatetime, Field

from ..vocabulary import BreakerState
from .base import Received, Sent

StateWord: TypeAlias = (
    BreakerState
    | Literal["closed", "open", "half_open", "forced_open", "disabled", "metrics_only"]
)
ReasonWord: TypeAlias = Literal[
    "failure_rate", "slow_rate", "consecutive", "probe_failed", "probe_ok", "wait_elapsed",
    "manual_local", "command", "startup",
]  # fmt: skip
ScopeWord: TypeAlias = Literal["tool", "provider", "mcp_server"]


class Window(Sent):
    """What a breaker counted in its window."""

    type: Literal["count", "time"] | None = None
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
    min_calls: int | None = None
    wait_s: float | None = None


class Cause(Sent):
    """The call that moved a breaker."""

    trace_id: str | None = None
    span_id: str | None = None
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
    window: Window | None = None


class Verb(StrEnum):
    """What the console may ask of a breaker."""

    FORCE_OPEN = "force_open"
    RESET = "reset"
    DISABLE = "disable"
    RELEASE = "release"


class BreakerCommand(Received):
    """An order from a person, with its reason. Expired ones are never handed to a breaker."""

    command_id: str
    verb: Verb
    breaker: str
    reason: str = ""
    actor: str = ""
    issued_at: datetime | None = None
    expires_at: datetime | None = None
    expected_state: str | None = None
    raw: dict[str, Any] = Field(default_factory=dict, repr=False)


class Obeyed(StrEnum):
    """What a breaker did about a command."""

    APPLIED = "applied"
    REFUSED = "refused"
    EXPIRED = "expired"
    UNSUPPORTED = "unsupported"
