"""LangChain's human-in-the-loop middleware: several calls in one request, one decision each, by position."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from escalations.domain.kinds.shapes import (
    Asked,
    Call,
    Decision,
    Family,
    Request,
    decided,
    final_steps,
    listed,
    mapping,
    text,
    words,
)
from escalations.vocabulary import Action


def ask(request: Request) -> Asked:
    """Read `HITLRequest {action_requests, review_configs}`; what not every call allows is not allowed."""
    configs = {text(each, "action_name"): each for each in listed(request, "review_configs")}
    calls = []
    allowed = frozenset(Action)
    for n, each in enumerate(listed(request, "action_requests"), start=1):
        name = text(each, "name")
        config: Mapping[str, Any] = configs.get(name, {})
        offered = config.get("allowed_decisions") or ["approve", "edit", "reject"]
        allowed &= {Action(word) for word in offered if word in set(Action)}
        calls.append(
            Call(
                id=f"call-{n}",
                tool=name,
                args=mapping(each.get("args", {}), "args"),
                args_schema=config.get("args_schema"),
                description=text(each, "description", ""),
            )
        )
    title = f"Approve {calls[0].tool}" if len(calls) == 1 else f"Approve {len(calls)} tool calls"
    goal = "\n".join(call.description for call in calls if call.description)
    return Asked(title=title, goal=goal or title, calls=tuple(calls), allowed=allowed)


def tell(ids: Sequence[str], decision: Decision) -> Any:
    """Write `HITLResponse {decisions}`: as many as were asked about, in their order."""
    action = decided(decision)
    if action is Action.RESPOND:
        return {"decisions": [{"type": "respond", "message": _answer(decision)} for _ in ids]}
    steps = final_steps(ids, decision)
    return {"decisions": [_one(step, decision) for step in steps]}


def _one(step: Mapping[str, Any] | None, decision: Decision) -> dict[str, Any]:
    if step is None:
        return {"type": "reject", "message": words(decision)}
    if step["edited"]:
        return {"type": "edit", "edited_action": {"name": step["tool"], "args": step["args"]}}
    return {"type": "approve"}


def _answer(decision: Decision) -> str:
    if "answer" not in decision:
        return words(decision)
    answer = decision["answer"]
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


LANGCHAIN = Family(name="langchain", ask=ask, tell=tell)
