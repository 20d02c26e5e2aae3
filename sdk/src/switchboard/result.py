"""The one object every call returns, and the text of it that a model is given."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from switchboard.failure import ToolError, ToolFailure
from switchboard.vocabulary import Executed, FailureClass, ItemStatus, Outcome, RecoveredBy

_FINE = frozenset({Outcome.SUCCEEDED, Outcome.RECOVERED, Outcome.DEGRADED, Outcome.SKIPPED})

_VERDICTS = {
    FailureClass.INVALID_ARGS: "INVALID_ARGS",
    FailureClass.EMPTY: "EMPTY",
    FailureClass.PARTIAL: "PARTIAL",
    FailureClass.UNKNOWN_OUTCOME: "UNKNOWN_OUTCOME",
    FailureClass.TRANSIENT: "EXHAUSTED_RETRIES",
    FailureClass.HARD: "UNRECOVERABLE",
    FailureClass.INTERNAL: "UNRECOVERABLE",
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try. `wait_ms` is the pause before it, `duration_ms` the tool's own time."""

    n: int
    started_at: datetime
    duration_ms: float
    wait_ms: float = 0.0
    http_status: int | None = None
    code: str | None = None
    class_: FailureClass | None = None

    def as_dict(self) -> dict[str, Any]:
        """The attempt in the words of the wire."""
        seen: dict[str, Any] = {
            "n": self.n,
            "started_at": self.started_at.isoformat(),
            "duration_ms": self.duration_ms,
            "wait_ms": self.wait_ms,
            "http_status": self.http_status,
            "code": self.code,
            "class": self.class_.value if self.class_ else None,
        }
        return {name: value for name, value in seen.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a batch, in the order it was asked for."""

    key: str
    status: ItemStatus | str
    data: Any = None
    error: ToolError | ToolFailure | None = None

    @property
    def failure(self) -> ToolError | None:
        """The error as a value, whichever way the tool gave it."""
        return self.error.error if isinstance(self.error, ToolFailure) else self.error

    def as_dict(self) -> dict[str, Any]:
        """The item as a model may see it."""
        seen: dict[str, Any] = {"key": self.key, "status": ItemStatus(self.status).value}
        if self.data is not None:
            seen["data"] = self.data
        if self.failure is not None:
            seen["error"] = self.failure.as_dict()
        return seen


class Items(list[Item]):
    """What a batch tool returns: a result per item instead of one verdict for all."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """Who brought the call through, by which rule, doing what, and how long it took on top."""

    by: RecoveredBy
    action: str
    rule: str | None = None
    latency_ms: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """The recovery in the words of the wire."""
        seen = {"by": self.by.value, "rule": self.rule, "action": self.action, "latency_ms": self.latency_ms}
        return {name: value for name, value in seen.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Firing:
    """One rule that matched, with what it changed."""

    rule: str
    action: str
    before: Any = None
    after: Any = None
    field: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The firing as it is traced."""
        seen = {"rule": self.rule, "action": self.action, "field": self.field}
        seen |= {"before": self.before, "after": self.after}
        return {name: value for name, value in seen.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Result:
    """How one call ended. `data` is plain JSON data, already cleaned; nothing in it has to be trusted further."""

    call_id: str
    tool: str
    outcome: Outcome
    args: Mapping[str, Any]
    data: Any = None
    error: ToolError | None = None
    items: tuple[Item, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    source: str = "tool"
    age_s: float | None = None
    replayed: bool = False
    recovery: Recovery | None = None
    firings: tuple[Firing, ...] = ()
    summary: str = ""
    note: str = ""
    idempotency_key: str | None = None
    case: Any = None

    @property
    def ok(self) -> bool:
        """There is something to go on with."""
        return self.outcome in _FINE and self.error is None

    @property
    def degraded(self) -> bool:
        """The answer is not the tool's own, of now."""
        return self.source not in {"tool", "session"}

    @property
    def executed(self) -> Executed:
        """Whether the world was touched, as far as anybody knows."""
        if self.error is not None:
            return self.error.executed
        return Executed.NO if self.outcome is Outcome.SKIPPED else Executed.YES

    def as_dict(self) -> dict[str, Any]:
        """The structure a model is given: nothing secret, nothing only an engineer needs."""
        seen: dict[str, Any] = {"tool": self.tool, "ok": self.ok, "outcome": self.outcome.value}
        if self.error is not None:
            seen["verdict"] = _VERDICTS[self.error.class_]
            seen["error"] = self.error.as_dict() | {"attempts": len(self.attempts)}
        if self.data is not None or self.error is None:
            seen["data"] = self.data
        if self.items:
            seen["items"] = [item.as_dict() for item in self.items]
            seen["counts"] = {
                status.value: sum(item.status == status for item in self.items) for status in ItemStatus
            }
        if self.summary:
            seen["summary"] = self.summary
        if self.source != "tool":
            seen |= {"source": self.source, "age_s": self.age_s, "degraded": self.degraded}
        if self.note:
            seen["note"] = self.note
        return seen

    def for_model(self) -> str:
        """The exact text to put into the tool message."""
        return json.dumps(self.as_dict(), ensure_ascii=False, separators=(",", ":"))
