"""AG-UI interrupts: a tool call or a question, resumed by id."""

from collections.abc import Sequence
from typing import Any

from escalations.domain.kinds.shapes import (
    Asked,
    Call,
    Decision,
    Family,
    Request,
    arguments,
    decided,
    final_steps,
    mapping,
    text,
    words,
)
from escalations.vocabulary import Action


def ask(request: Request) -> Asked:
    """Read `Interrupt {id, reason, message?, toolCallId?, responseSchema?, expiresAt?, metadata?}`.

    The call itself stands in `metadata.toolCall {name, args}`; without one the interrupt is a question.
    """
    interrupt = text(request, "id")
    about = mapping(request.get("metadata", {}), "metadata")
    message = text(request, "message", "") or f"Interrupted: {text(request, 'reason', 'confirmation')}"
    expires_at = request.get("expiresAt")
    schema = request.get("responseSchema")
    wanted = about.get("toolCall")
    if wanted is None:
        return Asked(
            title=message[:300],
            goal=message,
            response_schema=mapping(schema if schema is not None else {}, "responseSchema"),
            ids=(interrupt,),
            allowed=frozenset({Action.RESPOND, Action.REJECT}),
            expires_at=expires_at,
        )
    call = mapping(wanted, "metadata.toolCall")
    return Asked(
        title=message[:300],
        goal=message,
        calls=(Call(id=interrupt, tool=text(call, "name"), args=arguments(call, "args")),),
        allowed=frozenset({Action.APPROVE, Action.EDIT, Action.REJECT}),
        expires_at=expires_at,
    )


def tell(ids: Sequence[str], decision: Decision) -> Any:
    """Write `resume [{interruptId, status, payload}]`; `editedArgs` replaces the arguments as a whole."""
    (interrupt,) = ids
    if decided(decision) is None:
        return [{"interruptId": interrupt, "status": "cancelled", "payload": {"message": words(decision)}}]
    return [{"interruptId": interrupt, "status": "resolved", "payload": _payload(ids, decision)}]


def _payload(ids: Sequence[str], decision: Decision) -> Any:
    if decided(decision) is Action.RESPOND:
        return decision.get("answer", {"message": words(decision)})
    (step,) = final_steps(ids, decision)
    if step is None:
        return {"approved": False, "message": words(decision)}
    payload = {"approved": True, "message": decision.get("message") or ""}
    return {**payload, "editedArgs": step["args"]} if step["edited"] else payload


AG_UI = Family(name="ag_ui", ask=ask, tell=tell)
