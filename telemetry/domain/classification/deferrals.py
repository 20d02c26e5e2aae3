"""Calls that wait for a person or for input: no failure at all."""

from collections.abc import Mapping

from telemetry.domain.classification.plain import clip, key, names, some
from telemetry.domain.classification.sight import Sight

TYPES = names(
    """
    graphinterrupt nodeinterrupt interrupt calldeferred approvalrequired humaninputrequired
    toolapprovalrequired approvalrequirederror inputrequired humaninterrupt interruptexception
    toolcalldeferred pendingapproval elicitationrequired urlelicitationrequirederror deferredtoolcall
    awaitinghumaninput suspendexecution
    """
)
STATES = names(
    """
    inputrequired authrequired requiresapproval pendingapproval awaitingapproval waitingforapproval
    approvalrequired approvalpending awaitinghuman awaitinginput needsapproval pendinghumanapproval
    humanreviewrequired interrupted deferred pendinghuman awaitinghumanapproval waitingforhuman
    """
)
KEYS = names(
    """
    interrupt interrupts hitlrequest actionrequests approvalrequest elicitation
    """
)
URL_ELICITATION = -32042


def is_deferred(sight: Sight) -> bool:
    """True for interrupts, approvals asked for, elicitations and A2A or MCP `input_required`."""
    if sight.evidence.deferred:
        return True
    if sight.fault and any(key(name.rsplit(".", 1)[-1]) in TYPES for name in sight.fault.types):
        return True
    body = sight.body
    if not isinstance(body, dict) or (sight.status is not None and sight.status >= 400):
        return False
    return _says(body) or any(
        isinstance(inner, dict)
        and key(name) in {"result", "task", "status", "structuredcontent"}
        and _says(inner)
        for name, inner in some(body.items(), 30)
    )


def _says(body: Mapping[str, object]) -> bool:
    for name, value in some(body.items(), 40):
        role = key(name)
        if role in {"status", "state", "resulttype", "type", "stopreason"} and key(clip(value, 60)) in STATES:
            return True
        if (role in KEYS or name == "__interrupt__") and isinstance(value, list | dict) and value:
            return True
        if role == "error" and isinstance(value, dict) and value.get("code") == URL_ELICITATION:
            return True
    return False
