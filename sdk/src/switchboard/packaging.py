"""What a case says of a session: the steps done so far, the call that failed, and how bad that is."""

import json
from collections import Counter
from typing import Any

from switchboard.console import without_none
from switchboard.journal import Entry
from switchboard.report import failure_of
from switchboard.result import Result
from switchboard.task import Task
from switchboard.tool import Tool
from switchboard.vocabulary import BreakerState, Effect, Trigger

_STEPS = 100
_SEVERITY = {
    Trigger.PAYMENT_ANOMALY: "critical",
    Trigger.UNKNOWN_OUTCOME: "critical",
    Trigger.COMPENSATION_FAILED: "critical",
}
_WIRE_ATTEMPT = ("n", "started_at", "duration_ms", "wait_ms", "http_status", "code", "class")


def body(
    session: Task,
    title: str,
    trigger: Trigger,
    key: str,
    *,
    failure: dict[str, Any] | None,
    severity: str | None = None,
) -> dict[str, Any]:
    """Everything about a case but what is proposed and asked."""
    seen: dict[str, Any] = {
        "key": key,
        "title": title[:200],
        "goal": session.goal or title[:200],
        "trigger": trigger.value,
        "trace_id": session.trace_id,
        "severity": severity or _SEVERITY.get(trigger, "high"),
        "failure": failure,
        "steps": steps_done(session),
        "context": _context(session) or None,
    }
    if session.named:
        seen["session_id"] = session.id
    return without_none(seen)


def steps_done(session: Task) -> list[dict[str, Any]]:
    """What was done so far, from the journal."""
    entries = session.journal.entries() if session.journal else ()
    return [_done(session, each) for each in entries[-_STEPS:] if each.result is not None]


def failure_seen(session: Task, tool: Tool | None, result: Result) -> dict[str, Any]:
    """The call that failed, with its attempts and the breaker before it."""
    seen: dict[str, Any] = {"call_id": result.call_id, "tool": result.tool, "args": result.args}
    if tool is not None:
        seen["side_effect"] = tool.effect.value
    if session.reasoning is not None:
        seen["reasoning"] = session.reasoning
    if result.error is not None:
        seen |= failure_of(result.error)
    seen["attempts"] = [_attempt(each.as_dict()) for each in result.attempts]
    breaker = session.box.breakers.known(tool.dependency) if tool else None
    if breaker is not None and breaker.state is not BreakerState.CLOSED:
        seen["breaker"] = {"name": breaker.name, "state": breaker.state.value}
    return seen


def _context(session: Task) -> dict[str, Any]:
    """The last model turn, what is left of the limits, and how the calls of this session stand in its journal."""
    entries = session.journal.entries() if session.journal else ()
    states = Counter(entry.state.value for entry in entries)
    return without_none(
        {
            "reasoning": session.reasoning,
            "limits": session.guard.used() or None,
            "journal": dict(states) or None,
        }
    )


def _done(session: Task, entry: Entry) -> dict[str, Any]:
    told = json.loads(entry.result or "{}")
    tool = session.box.tools.get(entry.tool)
    return {
        "call_id": entry.call_id,
        "tool": entry.tool,
        "args": tool.signature.show(entry.args) if tool else dict(entry.args),
        "result": told.get("data"),
        "status": told.get("outcome", entry.state.value),
        "side_effect": entry.effect.value,
        "reversible": entry.compensation is not None if entry.effect is not Effect.READ else None,
        "at": entry.at.isoformat(),
    }


def _attempt(seen: dict[str, Any]) -> dict[str, Any]:
    known = {name: seen[name] for name in _WIRE_ATTEMPT if name in seen}
    return known | {"duration_ms": round(known["duration_ms"]), "wait_ms": round(known["wait_ms"])}
