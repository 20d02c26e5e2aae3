"""Words that are stored, sent and shown. Adding one is a migration and a contract change."""

from enum import StrEnum


class Trigger(StrEnum):
    """Why an agent hands a task to people."""

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


class Severity(StrEnum):
    """How much is at stake, in the agent's own judgement."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class ProposalKind(StrEnum):
    """What a plan would do about the failure."""

    COMPENSATE = "compensate"
    RETRY = "retry"
    ALTERNATE = "alternate"
    DEGRADE = "degrade"
    CONTINUE = "continue"


class RunIf(StrEnum):
    """How an earlier step must have ended for a later one to run."""

    SUCCEEDED = "succeeded"
    EMPTY = "empty"
    FAILED = "failed"


class Action(StrEnum):
    """What somebody who decides can say."""

    APPROVE = "approve"
    EDIT = "edit"
    REJECT = "reject"
    RESPOND = "respond"


class OnTimeout(StrEnum):
    """What the console does when nobody has decided by the deadline."""

    EXPIRE = "expire"
    REJECT = "reject"
    APPROVE = "approve"


class DecisionKind(StrEnum):
    """What sort of end a revision came to. Only the first is somebody's word; none of the others is a no."""

    DECISION = "decision"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"


class DeciderKind(StrEnum):
    """Who stands behind a decision."""

    PERSON = "person"
    DEFAULT = "default"
    POLICY = "policy"


class Decision(StrEnum):
    """The first of a case's two fields: what has been decided about its current revision."""

    OPEN = "open"
    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    RESPONDED = "responded"
    DISPUTED = "disputed"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"


class Execution(StrEnum):
    """The second field: what became of the decision, by the agent's report or by its silence."""

    NOT_STARTED = "not_started"
    DELIVERED = "delivered"
    ACKNOWLEDGED = "acknowledged"
    EXECUTING = "executing"
    EXECUTED = "executed"
    FAILED = "failed"
    PARTIAL = "partial"
    NEVER_EXECUTED = "never_executed"
    UNKNOWN = "unknown"
    NO_REPORT = "no_report"
    NOT_APPLICABLE = "not_applicable"


class Reported(StrEnum):
    """What an agent may say about the execution of a decision."""

    EXECUTING = "executing"
    EXECUTED = "executed"
    FAILED = "failed"
    PARTIAL = "partial"
    NEVER_EXECUTED = "never_executed"
    UNKNOWN = "unknown"


class StepStatus(StrEnum):
    """What became of one step of a decided plan, from the tool's result."""

    EXECUTING = "executing"
    EXECUTED = "executed"
    SUCCEEDED = "succeeded"
    EMPTY = "empty"
    FAILED = "failed"
    PARTIAL = "partial"
    NEVER_EXECUTED = "never_executed"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


class Comparison(StrEnum):
    """How a policy looks at an argument."""

    EQUAL = "equal"
    NOT_EQUAL = "not_equal"
    ONE_OF = "one_of"
    LIKE = "like"
    MORE_THAN = "more_than"
    LESS_THAN = "less_than"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"


class ChainDo(StrEnum):
    """What one step of a chain does while nobody has decided."""

    NOTIFY = "notify"
    ON_CALL = "on_call"
    WAIT = "wait"
    REPEAT = "repeat"
    WEBHOOK = "webhook"


class Paused(StrEnum):
    """Whose automatic decisions can be held back."""

    AGENT = "agent"
    POLICY = "policy"


class PolicyMode(StrEnum):
    """Whether a policy rules, only says what it would have ruled, or is switched off."""

    ON = "on"
    SHADOW = "shadow"
    OFF = "off"


class View(StrEnum):
    """The views of the queue."""

    OPEN = "open"
    MINE = "mine"
    ATTENTION = "attention"
    SNOOZED = "snoozed"
    UNREPORTED = "unreported"
    DONE = "done"


class Verb(StrEnum):
    """Everything that can be done with a case; the permission function knows each."""

    LOOK = "look"
    CLAIM = "claim"
    RELEASE = "release"
    DECIDE = "decide"
    RETRACT = "retract"
    NOTE = "note"
    DRAFT = "draft"
    RESOLVE = "resolve"
    ASSIGN = "assign"
    SNOOZE = "snooze"
    GO_ON = "go_on"
    OPEN = "open"
    REVISE = "revise"
    CANCEL = "cancel"
    READ_DECISION = "read_decision"
    ACKNOWLEDGE = "acknowledge"
    REPORT = "report"


class Source(StrEnum):
    """Through which door a write came in; the audit keeps it."""

    API = "api"
    PAGE = "page"
    SOCKET = "socket"
    POLL = "poll"
    WEBHOOK = "webhook"
    SWEEP = "sweep"
    COMMAND = "command"


ATTENTION = frozenset({Execution.FAILED, Execution.PARTIAL, Execution.UNKNOWN, Execution.NO_REPORT})
UNDER_WAY = frozenset(
    {Execution.NOT_STARTED, Execution.DELIVERED, Execution.ACKNOWLEDGED, Execution.EXECUTING}
)
RUNNING = frozenset({Decision.APPROVED, Decision.EDITED})  # the decisions that let something run
