"""MCP elicitation: a question with a flat schema, accepted, declined or cancelled."""

from collections.abc import Sequence
from typing import Any

from escalations.domain.kinds.shapes import Asked, Decision, Family, Request, decided, mapping, text
from escalations.vocabulary import Action


def ask(request: Request) -> Asked:
    """Read `elicitation/create {message, requestedSchema}`."""
    message = text(request, "message")
    schema = mapping(request.get("requestedSchema"), "requestedSchema")
    return Asked(
        title=message[:300],
        goal=message,
        response_schema=schema,
        allowed=frozenset({Action.RESPOND, Action.REJECT}),
    )


def tell(ids: Sequence[str], decision: Decision) -> Any:  # noqa: ARG001  # every family is told the same way
    """Write `{action, content?}`: a reject declines, what nobody decided cancels."""
    match decided(decision):
        case None:
            return {"action": "cancel"}
        case Action.RESPOND:
            return {"action": "accept", "content": decision.get("answer")}
        case _:
            return {"action": "decline"}


MCP = Family(name="mcp", ask=ask, tell=tell)
