"""LangChain's human-in-the-loop middleware: several calls in one request, one decision each, by position."""

from collections.abc import Mapping, Sequence
from typing import Any

from escalations.domain.kinds import langchain_call
from escalations.domain.kinds.langchain_answers import decisions
from escalations.domain.kinds.shapes import (
    Asked,
    Call,
    Decision,
    Family,
    Request,
    arguments,
    listed,
    text,
    wrong,
)
from escalations.vocabulary import Action


def ask(request: Request) -> Asked:
    """Read `HITLRequest {action_requests, review_configs}`; what not every call allows is not allowed.

    A request of the `per_call` mode is taken as well, and answered as that mode wants it.
    """
    if langchain_call.is_one_call(request):
        return langchain_call.ask(request)
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
                args=arguments(each, "args"),
                args_schema=config.get("args_schema"),
                description=text(each, "description", ""),
            )
        )
    if not calls:
        raise wrong("action_requests", "about at least one call")
    title = f"Approve {calls[0].tool}" if len(calls) == 1 else f"Approve {len(calls)} tool calls"
    goal = "\n".join(call.description for call in calls if call.description)
    return Asked(title=title, goal=goal or title, calls=tuple(calls), allowed=allowed)


def tell(ids: Sequence[str], decision: Decision) -> Any:
    """Write `HITLResponse {decisions}`: as many as were asked about, in their order."""
    return {"decisions": decisions(ids, decision)}


LANGCHAIN = Family(name="langchain", ask=ask, tell=tell)
