"""A finished call as the console is told of it."""

from collections.abc import Mapping
from typing import Any, Protocol

from switchboard.failure import ToolError
from switchboard.logical import LogicalCall
from switchboard.result import Result

_TEXT = 1000


class Reporter(Protocol):
    """Whoever takes finished calls. It neither blocks nor raises."""

    def report(self, call: Mapping[str, Any], /) -> object:
        """Take one call."""
        ...


def told(call: LogicalCall, result: Result, duration_s: float) -> dict[str, Any]:
    """The body of one call of `POST /api/v1/calls`; what is secret is already out of it."""
    session, tool = call.session, call.tool
    seen: dict[str, Any] = {
        "call_id": call.call_id,
        "trace_id": call.trace_id,
        "tool": tool.name,
        "dependency": tool.dependency,
        "side_effect": tool.effect.value,
        "started_at": call.at,
        "duration_ms": round(duration_s * 1000),
        "timeout_ms": round(tool.policy.timeout_s * 1000),
        "outcome": result.outcome.value,
        "args": result.args,
        "attempts": [_attempt(each.as_dict()) for each in result.attempts],
        "attributes": _attributes(call, result),
    }
    if session.named:
        seen["session_id"] = session.id
    if session.turn_id is not None:
        seen |= {"turn_id": session.turn_id, "round": session.guard.rounds, "reasoning": session.reasoning}
    if limits := session.guard.used():
        seen["limits"] = limits
    if tool.effect.value != "read":
        seen["idempotency_key"] = call.sent_key
    if result.error is not None:
        seen |= _failure(result.error)
    else:
        seen["result"] = result.data
        if call.first_error is not None:  # what was recovered from is what people look for
            seen |= _failure(call.first_error)
    if result.items:
        seen["items"] = [_item(each.as_dict()) for each in result.items]
    if result.recovery is not None:
        seen["recovery"] = result.recovery.as_dict() | {"latency_ms": round(result.recovery.latency_ms)}
    return {name: value for name, value in seen.items() if value is not None}


def failure_of(error: ToolError) -> dict[str, Any]:
    """The failure in the words of the wire."""
    message = f"{error.message} ({error.detail})" if error.detail else error.message
    seen: dict[str, Any] = {
        "class": error.class_.value,
        "code": error.code,
        "field": error.field,
        "constraint": error.constraint,
        "received": error.received,
        "hint": error.hint,
        "message": message[:_TEXT] or None,
    }
    return {name: value for name, value in seen.items() if value is not None}


def _failure(error: ToolError) -> dict[str, Any]:
    seen: dict[str, Any] = {"failure": failure_of(error)}
    if error.evidence:
        seen["evidence"] = dict(error.evidence)
    return seen


def _attempt(seen: dict[str, Any]) -> dict[str, Any]:
    return seen | {"duration_ms": round(seen["duration_ms"]), "wait_ms": round(seen["wait_ms"])}


def _item(seen: dict[str, Any]) -> dict[str, Any]:
    item = {"key": seen["key"], "status": seen["status"]}
    if error := seen.get("error"):
        known = ("class", "code", "field", "constraint", "received", "hint", "message")
        item["failure"] = {name: error[name] for name in known if name in error}
    return item


def _attributes(call: LogicalCall, result: Result) -> dict[str, Any] | None:
    """What has no field of its own: which rules fired, where an answer came from."""
    seen: dict[str, Any] = {}
    if call.firings:
        seen["rules"] = [firing.as_dict() for firing in call.firings]
    if call.suppressed:
        seen["suppressed"] = call.suppressed
    if result.source != "tool":
        seen |= {"source": result.source, "age_s": result.age_s}
    if result.note:
        seen["note"] = result.note
    if result.case is not None:
        seen["case"] = result.case.key
    return seen or None
