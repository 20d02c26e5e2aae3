"""The words that are stored, sent and shown, spelled as the console spells them."""

from enum import StrEnum
from typing import Literal

FilterMode = Literal["on", "shadow", "off"]  # whether calls that would not help are skipped


class FailureClass(StrEnum):
    """Who recovers, in one word."""

    INVALID_ARGS = "invalid_args"
    TRANSIENT = "transient"
    EMPTY = "empty"
    HARD = "hard"
    PARTIAL = "partial"
    UNKNOWN_OUTCOME = "unknown_outcome"
    INTERNAL = "internal"


class Effect(StrEnum):
    """What calling a tool does to the world, and so whether it may be called again."""

    READ = "read"
    IDEMPOTENT_WRITE = "idempotent_write"
    WRITE = "write"


class Outcome(StrEnum):
    """How one logical call ended."""

    SUCCEEDED = "succeeded"
    RECOVERED = "recovered"
    DEGRADED = "degraded"
    FAILED = "failed"
    ESCALATED = "escalated"
    DEFERRED = "deferred"
    SKIPPED = "skipped"


class Executed(StrEnum):
    """Whether a failed call touched anything: `no` is proof, `unknown` is the lack of it."""

    NO = "no"
    YES = "yes"
    PARTLY = "partly"
    UNKNOWN = "unknown"


class RecoveredBy(StrEnum):
    """Who brought a call through."""

    RETRY = "retry"
    RULE = "rule"
    MODEL = "model"
    FALLBACK = "fallback"
    HUMAN = "human"


class ItemStatus(StrEnum):
    """How one item of a batch ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"


class BreakerState(StrEnum):
    """What a breaker does with the next call."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"
    FORCED_OPEN = "forced_open"
    DISABLED = "disabled"
    METRICS_ONLY = "metrics_only"


class Trigger(StrEnum):
    """Why a task is handed to people."""

    AUTH_FAILURE = "auth_failure"
    PAYMENT_ANOMALY = "payment_anomaly"
    REPEATED_FAILURE = "repeated_failure"
    LOOP_LIMIT = "loop_limit"
    UNKNOWN_OUTCOME = "unknown_outcome"
    POLICY_CONFLICT = "policy_conflict"
    COMPENSATION_FAILED = "compensation_failed"
    BREAKER_OPEN = "breaker_open"
    REQUESTED = "requested"
    OTHER = "other"
