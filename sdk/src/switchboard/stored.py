"""A result as journal text, and back: what was told once is told again byte for byte."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

from switchboard.failure import FieldError, ToolError
from switchboard.journal import Entry
from switchboard.result import Attempt, Firing, Item, Recovery, Result
from switchboard.vocabulary import Executed, FailureClass, ItemStatus, Outcome, RecoveredBy

_ERROR = (
    "code",
    "message",
    "field",
    "constraint",
    "received",
    "hint",
    "retry_after_s",
    "http_status",
    "detail",
    "retryable",
)


def to_text(result: Result) -> str:
    """One line of JSON. The case is not in it: the journal keeps cases by themselves."""
    seen: dict[str, Any] = {
        "call_id": result.call_id,
        "tool": result.tool,
        "outcome": result.outcome.value,
        "args": dict(result.args),
        "data": result.data,
        "error": _error_out(result.error),
        "items": [{**item.as_dict(), "error": _item_error(item)} for item in result.items],
        "attempts": [attempt.as_dict() for attempt in result.attempts],
        "source": result.source,
        "age_s": result.age_s,
        "recovery": result.recovery.as_dict() if result.recovery else None,
        "firings": [firing.as_dict() for firing in result.firings],
        "summary": result.summary,
        "note": result.note,
        "idempotency_key": result.idempotency_key,
    }
    return json.dumps(seen, separators=(",", ":"))


def from_text(text: str) -> Result:
    """The same result, marked as replayed."""
    seen = json.loads(text)
    return Result(
        call_id=seen["call_id"],
        tool=seen["tool"],
        outcome=Outcome(seen["outcome"]),
        args=seen["args"],
        data=seen["data"],
        error=_error_in(seen["error"]),
        items=tuple(
            Item(each["key"], ItemStatus(each["status"]), each.get("data"), _error_in(each["error"]))
            for each in seen["items"]
        ),
        attempts=tuple(_attempt_in(each) for each in seen["attempts"]),
        source=seen["source"],
        age_s=seen["age_s"],
        replayed=True,
        recovery=_recovery_in(seen["recovery"]),
        firings=tuple(Firing(**each) for each in seen["firings"]),
        summary=seen["summary"],
        note=seen["note"],
        idempotency_key=seen["idempotency_key"],
    )


def reconciled(entry: Entry, *, happened: bool, data: Any, by: RecoveredBy) -> str:
    """The last line of a call of which it is now known whether it happened."""
    if entry.result is None:
        raise ValueError(f"{entry.logical_id} has no result yet.")
    before = replace(from_text(entry.result), replayed=False)
    if happened:
        recovery = Recovery(by, "reconcile")
        after = replace(before, outcome=Outcome.RECOVERED, data=data, error=None, recovery=recovery)
    else:
        error = ToolError(
            class_=FailureClass.HARD,
            code="DID_NOT_HAPPEN",
            message="It was checked: this did not happen.",
            hint="It may be done again as a new call.",
            executed=Executed.NO,
        )
        after = replace(before, outcome=Outcome.FAILED, error=error)
    return to_text(after)


def _error_out(error: ToolError | None) -> dict[str, Any] | None:
    if error is None:
        return None
    seen = {name: getattr(error, name) for name in _ERROR}
    seen["evidence"] = dict(error.evidence) if error.evidence else None
    words = {
        "class_": error.class_.value,
        "executed": error.executed.value,
        "suppressed": list(error.suppressed),
    }
    return seen | words | {"errors": [each.as_dict() for each in error.errors]}


def _item_error(item: Item) -> dict[str, Any] | None:
    return _error_out(item.failure)


def _error_in(seen: dict[str, Any] | None) -> ToolError | None:
    if seen is None:
        return None
    errors = tuple(FieldError(**each) for each in seen.pop("errors"))
    class_, executed = FailureClass(seen.pop("class_")), Executed(seen.pop("executed"))
    error = ToolError(**{**seen, "class_": class_, "executed": executed, "errors": errors})
    return replace(error, suppressed=tuple(error.suppressed))


def _attempt_in(seen: dict[str, Any]) -> Attempt:
    class_ = seen.pop("class", None)
    at = datetime.fromisoformat(seen.pop("started_at"))
    return Attempt(started_at=at, class_=FailureClass(class_) if class_ else None, **seen)


def _recovery_in(seen: dict[str, Any] | None) -> Recovery | None:
    return Recovery(**{**seen, "by": RecoveredBy(seen["by"])}) if seen else None
