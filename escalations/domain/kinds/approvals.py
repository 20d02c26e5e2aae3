"""Families that take yes or no about calls: OpenAI Agents, Vercel AI, and pydantic-ai, which takes edits as well."""

from collections.abc import Mapping, Sequence
from typing import Any

from escalations.domain.kinds.shapes import (
    Asked,
    Call,
    Decision,
    Family,
    Request,
    final_steps,
    listed,
    mapping,
    text,
    words,
)
from escalations.vocabulary import Action

YES_OR_NO = frozenset({Action.APPROVE, Action.REJECT})
CANNOT = "The other side cannot carry changed arguments: approve as it is, or reject and say what to change."


def ask_openai(request: Request) -> Asked:
    """Read a run's interruptions: `{interruptions: [{call_id, tool_name, arguments}]}`."""
    return _asked(listed(request, "interruptions"), ("call_id", "tool_name", "arguments"), YES_OR_NO, CANNOT)


def tell_openai(ids: Sequence[str], decision: Decision) -> Any:
    """Write what `state.approve` and `state.reject` take for each call."""
    return [
        {"call_id": each, "approve": True}
        if step is not None
        else {"call_id": each, "approve": False, "rejection_message": words(decision)}
        for each, step in zip(ids, final_steps(ids, decision), strict=True)
    ]


def ask_vercel(request: Request) -> Asked:
    """Read `tool-approval-request` parts: `{requests: [{approvalId, toolName, input}]}`."""
    return _asked(listed(request, "requests"), ("approvalId", "toolName", "input"), YES_OR_NO, CANNOT)


def tell_vercel(ids: Sequence[str], decision: Decision) -> Any:
    """Write one `tool-approval-response` for each."""
    return [
        {
            "type": "tool-approval-response",
            "approvalId": each,
            "approved": step is not None,
            "reason": decision.get("message") or "" if step is not None else words(decision),
        }
        for each, step in zip(ids, final_steps(ids, decision), strict=True)
    ]


def ask_pydantic(request: Request) -> Asked:
    """Read `DeferredToolRequests {approvals: [{tool_call_id, tool_name, args}]}`."""
    actions = frozenset({Action.APPROVE, Action.EDIT, Action.REJECT})
    return _asked(listed(request, "approvals"), ("tool_call_id", "tool_name", "args"), actions, "")


def tell_pydantic(ids: Sequence[str], decision: Decision) -> Any:
    """Write `DeferredToolResults.approvals`: true, `ToolApproved` with other arguments, or `ToolDenied`."""
    return {
        "approvals": {
            each: _pydantic(step, decision)
            for each, step in zip(ids, final_steps(ids, decision), strict=True)
        }
    }


def _pydantic(step: Mapping[str, Any] | None, decision: Decision) -> Any:
    if step is None:
        return {"kind": "tool-denied", "message": words(decision)}
    if step["edited"]:
        return {"kind": "tool-approved", "override_args": step["args"]}
    return True


def _asked(
    calls: Sequence[Request], names: tuple[str, str, str], allowed: frozenset[Action], cannot: str
) -> Asked:
    call_id, tool, args = names
    found = tuple(
        Call(id=text(each, call_id), tool=text(each, tool), args=mapping(each.get(args) or {}, args))
        for each in calls
    )
    title = f"Approve {found[0].tool}" if len(found) == 1 else f"Approve {len(found)} tool calls"
    return Asked(title=title, goal=title, calls=found, allowed=allowed, cannot=cannot)


OPENAI_AGENTS = Family(name="openai_agents", ask=ask_openai, tell=tell_openai)
VERCEL_AI = Family(name="vercel_ai", ask=ask_vercel, tell=tell_vercel)
PYDANTIC_AI = Family(name="pydantic_ai", ask=ask_pydantic, tell=tell_pydantic)
