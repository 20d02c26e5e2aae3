"""Families that take yes or no about calls: OpenAI Agents and Vercel AI."""

from collections.abc import Sequence
from typing import Any

from escalations.domain.kinds.shapes import (
    Asked,
    Call,
    Decision,
    Family,
    Request,
    arguments,
    final_steps,
    listed,
    mapping,
    text,
    words,
    wrong,
)
from escalations.vocabulary import Action

YES_OR_NO = frozenset({Action.APPROVE, Action.REJECT})
CANNOT = "The other side cannot carry changed arguments: approve as it is, or reject and say what to change."


def ask_openai(request: Request) -> Asked:
    """Read a run's interruptions: `{interruptions: [{call_id, tool_name, arguments}]}`.

    The item's own `raw_item`, whose tool is called `name`, will do as well.
    """
    items = [
        each if "tool_name" in each else {**each, "tool_name": each.get("name")}
        for each in listed(request, "interruptions")
    ]
    return asked(items, ("call_id", "tool_name", "arguments"), YES_OR_NO, CANNOT)


def tell_openai(ids: Sequence[str], decision: Decision) -> Any:
    """Write what `state.approve` and `state.reject` take for each call."""
    return [
        {"call_id": each, "approve": True}
        if step is not None
        else {"call_id": each, "approve": False, "rejection_message": words(decision)}
        for each, step in zip(ids, final_steps(ids, decision), strict=True)
    ]


def ask_vercel(request: Request) -> Asked:
    """Read `tool-approval-request` parts: `{requests: [{approvalId, toolName, input}]}`, or with the call as `toolCall`."""
    parts = [
        {**each, **mapping(each.get("toolCall", {}), "toolCall")} for each in listed(request, "requests")
    ]
    return asked(parts, ("approvalId", "toolName", "input"), YES_OR_NO, CANNOT)


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


def asked(
    calls: Sequence[Request], names: tuple[str, str, str], allowed: frozenset[Action], cannot: str
) -> Asked:
    """Give what was asked about these calls, whose id, tool and arguments stand under these names."""
    call_id, tool, args = names
    found = tuple(
        Call(id=text(each, call_id), tool=text(each, tool), args=arguments(each, args)) for each in calls
    )
    if not found:
        raise wrong("request", "about at least one call")
    title = f"Approve {found[0].tool}" if len(found) == 1 else f"Approve {len(found)} tool calls"
    return Asked(title=title, goal=title, calls=found, allowed=allowed, cannot=cannot)


OPENAI_AGENTS = Family(name="openai_agents", ask=ask_openai, tell=tell_openai)
VERCEL_AI = Family(name="vercel_ai", ask=ask_vercel, tell=tell_vercel)
