"""LangGraph's older `HumanInterrupt`: one call, answered by a list of one."""

from collections.abc import Sequence
from typing import Any

from escalations.domain.kinds.shapes import (
    Asked,
    Call,
    Decision,
    Family,
    Request,
    decided,
    final_steps,
    mapping,
    text,
    words,
)
from escalations.vocabulary import Action

ALLOWS = {
    "allow_accept": {Action.APPROVE},
    "allow_edit": {Action.EDIT},
    "allow_respond": {Action.RESPOND, Action.REJECT},  # a no with its reason can only travel as a response
}
CANNOT = "This kind of request has no reject of its own; where it takes no response, it can only be ignored."


def ask(request: Request) -> Asked:
    """Read `HumanInterrupt {action_request, config, description}`."""
    wanted = mapping(request.get("action_request"), "action_request")
    config = mapping(request.get("config", {}), "config")
    allowed = {action for name, actions in ALLOWS.items() if config.get(name) for action in actions}
    description = text(request, "description", "")
    tool = text(wanted, "action")
    call = Call(id="call-1", tool=tool, args=mapping(wanted.get("args", {}), "args"), description=description)
    cannot = "" if Action.REJECT in allowed else CANNOT
    title = f"Approve {tool}"
    return Asked(
        title=title, goal=description or title, calls=(call,), allowed=frozenset(allowed), cannot=cannot
    )


def tell(ids: Sequence[str], decision: Decision) -> Any:
    """Write a list of one `HumanResponse {type, args}`; `ignore` is nobody's no."""
    match decided(decision):
        case None:
            return [{"type": "ignore", "args": None}]
        case Action.RESPOND:
            return [{"type": "response", "args": decision.get("answer", words(decision))}]
        case Action.REJECT:
            return [{"type": "response", "args": f"Rejected: {words(decision)}"}]
        case Action.APPROVE | Action.EDIT:
            (step,) = final_steps(ids, decision)
            if step is None:
                return [{"type": "response", "args": f"Rejected: {words(decision)}"}]
            if not step["edited"]:
                return [{"type": "accept", "args": None}]
            return [{"type": "edit", "args": {"action": step["tool"], "args": step["args"]}}]


INTERRUPT = Family(name="interrupt", ask=ask, tell=tell)
