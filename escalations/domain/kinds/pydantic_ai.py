"""pydantic-ai's deferred tools: calls to approve, or one call that a person answers in the tool's place."""

from collections.abc import Mapping, Sequence
from typing import Any

from escalations.domain.kinds.approvals import asked
from escalations.domain.kinds.shapes import (
    Asked,
    Decision,
    Family,
    Request,
    arguments,
    decided,
    final_steps,
    listed,
    text,
    words,
    wrong,
)
from escalations.vocabulary import Action

NAMES = ("tool_call_id", "tool_name", "args")
ANSWERED = "call:"  # what an id begins with whose call a person answers


def ask(request: Request) -> Asked:
    """Read `DeferredToolRequests {approvals, calls}`, of which one part may be empty in a case."""
    approvals = listed(request, "approvals")
    calls = listed(request, "calls") if request.get("calls") else []
    if not calls:
        actions = frozenset({Action.APPROVE, Action.EDIT, Action.REJECT})
        return asked(approvals, NAMES, actions, "")
    if approvals or len(calls) > 1:
        raise wrong("calls", "one call, and no approvals beside it: each is a case of its own", len(calls))
    (call,) = calls
    tool, args = text(call, "tool_name"), dict(arguments(call, "args"))
    return Asked(
        title=f"Answer {tool}",
        goal=f"Answer {tool} in the tool's place, for {args}",
        response_schema={},
        allowed=frozenset({Action.RESPOND, Action.REJECT}),
        ids=(ANSWERED + text(call, "tool_call_id"),),
    )


def tell(ids: Sequence[str], decision: Decision) -> Any:
    """Write `DeferredToolResults`: of a call its answer, else true, `ToolApproved` with other arguments, or `ToolDenied`."""
    if ids and ids[0].startswith(ANSWERED):
        return {"calls": {ids[0].removeprefix(ANSWERED): _answer(decision)}, "approvals": {}}
    steps = zip(ids, final_steps(ids, decision), strict=True)
    return {"approvals": {each: _approval(step, decision) for each, step in steps}}


def _answer(decision: Decision) -> Any:
    if decided(decision) is Action.RESPOND:
        return decision.get("answer", words(decision))
    return {"kind": "tool-failed", "message": words(decision)}


def _approval(step: Mapping[str, Any] | None, decision: Decision) -> Any:
    if step is None:
        return {"kind": "tool-denied", "message": words(decision)}
    if step["edited"]:
        return {"kind": "tool-approved", "override_args": step["args"]}
    return True


PYDANTIC_AI = Family(name="pydantic_ai", ask=ask, tell=tell)
