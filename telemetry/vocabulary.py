"""The words of telemetry that are stored, sent and shown."""

from enum import StrEnum


class FailureClass(StrEnum):
    """What kind of failure a call met; who recovers follows from it."""

    INVALID_ARGS = "invalid_args"
    TRANSIENT = "transient"
    EMPTY = "empty"
    HARD = "hard"
    PARTIAL = "partial"
    UNKNOWN_OUTCOME = "unknown_outcome"
    INTERNAL = "internal"


class Outcome(StrEnum):
    """How a call ended, after whatever recovery there was."""

    SUCCEEDED = "succeeded"
    RECOVERED = "recovered"
    DEGRADED = "degraded"
    FAILED = "failed"
    ESCALATED = "escalated"
    DEFERRED = "deferred"
    SKIPPED = "skipped"


# A call that waits for a person, or was never made, is no operation of the tool: it is in no rate.
NOT_COUNTED = frozenset({Outcome.DEFERRED, Outcome.SKIPPED})
# It gave what was asked, at once or after recovery; `degraded` gave something, and is counted with them.
IN_THE_END = frozenset({Outcome.SUCCEEDED, Outcome.RECOVERED, Outcome.DEGRADED})


class SideEffect(StrEnum):
    """What sending the same call again would do."""

    READ = "read"
    IDEMPOTENT_WRITE = "idempotent_write"
    WRITE = "write"


class RecoveredBy(StrEnum):
    """Who turned a failure into a result."""

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
    UNKNOWN = "unknown"


class ClassSource(StrEnum):
    """Who said the failure class of a call."""

    AGENT = "agent"
    RULES = "rules"
    PERSON = "person"


class Accounted(StrEnum):
    """What became of a reported item; the ledger counts each."""

    RECEIVED = "received"
    STORED = "stored"
    CORRECTED = "corrected"
    DUPLICATE = "duplicate"
    REJECTED = "rejected"


class Window(StrEnum):
    """The stretches of time that pages offer."""

    QUARTER_HOUR = "15m"
    HOUR = "1h"
    SIX_HOURS = "6h"
    DAY = "24h"
    WEEK = "7d"


class SpikeKind(StrEnum):
    """What sort of unusual it is."""

    RATE = "rate"
    PERSON = "person"
    NEW = "new"


class Advice(StrEnum):
    """Where to look first; what the class of a spike says."""

    INCIDENT = "incident"
    PROMPT_OR_SCHEMA = "prompt_or_schema"
    DEPENDENCY = "dependency"
    QUERIES = "queries"
    RECONCILE = "reconcile"
    TOOL_CODE = "tool_code"
    PEOPLE = "people"


class BreakerState(StrEnum):
    """What a breaker does with a call, in one instance."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"
    FORCED_OPEN = "forced_open"
    DISABLED = "disabled"
    METRICS_ONLY = "metrics_only"


class FleetState(StrEnum):
    """One word for a breaker over all its live instances."""

    CLOSED = "closed"
    DEGRADED = "degraded"
    OPEN = "open"
    HALF_OPEN = "half_open"
    FORCED_OPEN = "forced_open"
    DISABLED = "disabled"
    NOT_KNOWN = "not_known"


class BreakerScope(StrEnum):
    """What a breaker guards."""

    TOOL = "tool"
    PROVIDER = "provider"
    MCP_SERVER = "mcp_server"


class BreakerReason(StrEnum):
    """Why a breaker changed."""

    FAILURE_RATE = "failure_rate"
    SLOW_RATE = "slow_rate"
    CONSECUTIVE = "consecutive"
    PROBE_FAILED = "probe_failed"
    PROBE_OK = "probe_ok"
    WAIT_ELAPSED = "wait_elapsed"
    MANUAL_LOCAL = "manual_local"
    COMMAND = "command"
    STARTUP = "startup"


class CommandVerb(StrEnum):
    """What a person tells a breaker."""

    FORCE_OPEN = "force_open"
    RESET = "reset"
    DISABLE = "disable"
    RELEASE = "release"


class AckStatus(StrEnum):
    """What an instance did with a command."""

    APPLIED = "applied"
    REFUSED = "refused"
    EXPIRED = "expired"
    UNSUPPORTED = "unsupported"
