"""MCP elicitation: a question with a flat schema or an address to go to, accepted, declined or cancelled."""

from collections.abc import Mapping, Sequence
from typing import Any

from escalations.domain.kinds.shapes import Asked, Decision, Family, Request, decided, mapping, text, wrong
from escalations.vocabulary import Action

FORM, URL = "question", "address"
ANYTHING: dict[str, Any] = {}  # what is said at an address is not ours to know: only that it was done travels
METHOD = "elicitation/create"


def ask(request: Request) -> Asked:
    """Read `elicitation/create {message, requestedSchema}`, or with `mode: url` an address to go to.

    Taken as well: `InputRequiredResult {inputRequests}` with one elicitation, which is answered under its key.
    """
    if "inputRequests" in request:
        return _required(mapping(request["inputRequests"], "inputRequests"))
    return _elicited(request, "")


def _required(requests: Mapping[str, Any]) -> Asked:
    if len(requests) != 1:
        raise wrong("inputRequests", "one request: each is a case of its own", len(requests))
    ((key, wanted),) = requests.items()
    one = mapping(wanted, f"inputRequests.{key}")
    if one.get("method", METHOD) != METHOD:
        raise wrong(f"inputRequests.{key}.method", METHOD, one.get("method"))
    return _elicited(mapping(one.get("params"), f"inputRequests.{key}.params"), f":{key}")


def _elicited(request: Request, key: str) -> Asked:
    message = text(request, "message")
    by_address = request.get("mode") == "url"
    goal = f"{message}\n{text(request, 'url')}" if by_address else message
    schema = ANYTHING if by_address else mapping(request.get("requestedSchema"), "requestedSchema")
    return Asked(
        title=message[:300],
        goal=goal,
        response_schema=schema,
        allowed=frozenset({Action.RESPOND, Action.REJECT}),
        ids=((URL if by_address else FORM) + key,),
    )


def tell(ids: Sequence[str], decision: Decision) -> Any:
    """Write `{action, content?}`: a reject declines, what nobody decided cancels."""
    mode, _, key = (ids[0] if ids else FORM).partition(":")
    answer = _answer(mode, decision)
    return {"inputResponses": {key: answer}} if key else answer


def _answer(mode: str, decision: Decision) -> dict[str, Any]:
    match decided(decision):
        case None:
            return {"action": "cancel"}
        case Action.RESPOND if mode == URL:
            return {"action": "accept"}
        case Action.RESPOND:
            return {"action": "accept", "content": decision.get("answer")}
        case _:
            return {"action": "decline"}


MCP = Family(name="mcp", ask=ask, tell=tell)
