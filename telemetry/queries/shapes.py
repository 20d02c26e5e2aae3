"""What pages are given about calls and tools: frozen values, every rate with the numbers behind it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from telemetry.vocabulary import ClassSource, FailureClass, Outcome, RecoveredBy, SideEffect, Window


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of something. `value` is None where there was nothing: no data is a gap, not zero."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """Give the share between 0 and 1."""
        return self.part / self.whole if self.whole else None


@dataclass(frozen=True, slots=True)
class Span:
    """The stretch a page shows, cut into `buckets` of `step_s` seconds; `start` and `end` are bucket edges."""

    window: Window
    start: datetime
    end: datetime
    step_s: int
    buckets: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles in milliseconds, each within one percent; None where nothing was measured."""

    n: int
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True, slots=True)
class Totals:
    """Operations of a stretch of time. Deferred and skipped calls are in `calls` but in no rate."""

    calls: int
    attempts: int
    first_time: Rate  # worked without any recovery
    in_the_end: Rate  # worked, at once or after recovery
    person: Rate  # escalated, or recovered by a person
    failures: int  # operations that failed at first, recovered or not
    recovered: Rate  # of the failures


@dataclass(frozen=True, slots=True)
class Recovery:
    """How long recovery takes."""

    latency: Latency
    mean_ms: float | None


@dataclass(frozen=True, slots=True)
class RecoveredShare:
    """Failures that one kind of recovery turned round; `by` None are those that nobody did."""

    by: RecoveredBy | None
    share: Rate
    p50_ms: float | None


@dataclass(frozen=True, slots=True)
class FailureSeries:
    """Failed operations by class, and all operations, per bucket of the span."""

    by_class: dict[FailureClass, tuple[int, ...]]
    calls: tuple[int, ...]
    attempts_by_class: dict[FailureClass, tuple[int, ...]]

    @property
    def totals(self) -> dict[FailureClass, int]:
        """Give the sum of each class."""
        return {name: sum(counts) for name, counts in self.by_class.items()}


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One line of the tool table."""

    name: str
    calls: int
    first_time: Rate
    in_the_end: Rate
    before: Rate  # in the end, in the period before
    mostly: FailureClass | None  # the class of most of what did not work in the end, else of most failures
    lost: int  # did not work in the end
    p95_ms: float | None
    points: tuple[int, ...]  # failures per bucket of the span

    @property
    def change(self) -> float | None:
        """Give the change of the lost share against the period before."""
        now, before = self.in_the_end.value, self.before.value
        return None if now is None or before is None else before - now


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything the first page says about calls."""

    span: Span
    at: datetime
    totals: Totals
    before: Totals
    recovery: Recovery
    recovery_before: Recovery
    recovered_by: tuple[RecoveredShare, ...]
    failures: FailureSeries
    failures_before: tuple[int, ...]  # all classes together, per bucket of the period before
    person: tuple[Rate, ...]  # needed a person, per bucket
    person_before: tuple[Rate, ...]
    tools: tuple[ToolRow, ...]
    last_call_at: datetime | None


@dataclass(frozen=True, slots=True)
class CodeCount:
    """One code of one class, and how many operations it failed."""

    failure_class: FailureClass
    code: str
    n: int


@dataclass(frozen=True, slots=True)
class CauseRow:
    """Failures of one cause in a window. `template` is the message without what varies in it."""

    id: str  # as in the address of its calls
    tool: str
    failure_class: FailureClass
    code: str
    template: str
    n: int
    first_seen_at: datetime
    new: bool  # first seen within the window, in a tool known for longer


@dataclass(frozen=True, slots=True)
class ToolPage:
    """Everything the page of one tool says."""

    name: str
    first_seen_at: datetime
    not_found_is_empty: bool | None
    span: Span
    totals: Totals
    before: Totals
    latency: Latency
    latency_series: tuple[Latency, ...]  # per bucket
    failures: FailureSeries
    in_the_end: tuple[Rate, ...]  # per bucket
    codes: tuple[CodeCount, ...]
    causes: tuple[CauseRow, ...]
    recovered_by: tuple[RecoveredShare, ...]
    recent_failures: tuple["CallRow", ...]
    breakers: tuple[str, ...]  # names of the breakers that guard it


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call in a list."""

    id: int
    agent_id: int
    agent: str
    call_id: str
    rev: int
    trace_id: str
    tool: str
    outcome: Outcome
    failure_class: FailureClass | None
    code: str
    recovered_by: RecoveredBy | None
    started_at: datetime
    received_at: datetime
    duration_ms: float
    attempts: int
    message: str  # the failure in one line, hostile text cut short
    cause: str = ""  # as in `CauseRow.id`


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One try of a call."""

    n: int
    started_at: datetime
    duration_ms: float
    wait_ms: float
    http_status: int | None
    code: str | None
    failure_class: FailureClass | None


@dataclass(frozen=True, slots=True)
class FailureDetail:
    """Why a call failed, as far as is known, and who said so."""

    failure_class: FailureClass
    code: str
    field: str | None
    constraint: str | None
    received: Any
    has_received: bool
    hint: str | None
    message: str | None
    source: ClassSource
    rule: str | None
    confidence: float | None
    version: str | None
    retryable: str | None
    retry_after_s: float | None
    by: str = ""  # the person who said so


@dataclass(frozen=True, slots=True)
class CallDetail:
    """One call with everything that was reported of it."""

    row: CallRow
    span_id: str | None
    parent_span_id: str | None
    session_id: str | None
    agent_version: str | None
    instance: str | None
    turn: str | None
    round: int | None
    side_effect: SideEffect
    dependency: str | None
    timeout_ms: float | None
    limits: dict[str, dict[str, float]]
    failure: FailureDetail | None
    attempts: tuple[AttemptRow, ...]
    recovery: dict[str, Any] | None
    recovery_ms: float | None
    items: tuple[dict[str, Any], ...]
    evidence: dict[str, Any]
    args: Any
    has_args: bool
    result: Any
    has_result: bool
    reasoning: str | None
    attributes: dict[str, Any]
    retry_of: str | None
    flags: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Trace:
    """All calls of one trace, in the order they started."""

    trace_id: str
    calls: tuple[CallDetail, ...]
    started_at: datetime
    ended_at: datetime
    more: bool  # True where the trace has more calls than are given
