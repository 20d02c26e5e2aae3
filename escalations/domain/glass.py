"""Breaking the glass: deciding against the case's own rules, with a reason, for roles that its policy names."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from console.kit.actor import Actor
from console.kit.clean import visible
from console.kit.refusal import FieldError, Kind, Refused
from escalations.domain import permissions
from escalations.domain.lifecycle import State
from escalations.vocabulary import Verb

SHORTEST = 10


class GlassNotYours(Refused):
    """The case's policy does not let this person break the glass."""

    kind, code = Kind.FORBIDDEN, "BREAK_GLASS_NOT_ALLOWED"


class GlassNotNeeded(Refused):
    """Nothing stands in the way: an ordinary decision does."""

    code = "BREAK_GLASS_NOT_NEEDED"


class GlassNeedsReason(Refused):
    """Without a reason in words the glass stays whole."""

    kind, code = Kind.INVALID, "REASON_NEEDED"


def broken(
    actor: Actor, subject: permissions.Subject, state: State, policy: Mapping[str, Any], *, at: datetime
) -> tuple[str, ...]:
    """Give the rules that an ordinary decision of this person would meet; none of them, and the glass stays whole."""
    rules = []
    refusal = permissions.why_not(actor, Verb.DECIDE, subject)
    if refusal is not None:
        rules.append(refusal.code.lower())
    if int(policy.get("quorum") or 1) > 1:
        rules.append("quorum")
    if state.require_claim and (state.held_by_another(actor.id, at) or not state.held_at(at)):
        rules.append("require_claim")
    return tuple(rules)


def why_not_break(actor: Actor, policy: Mapping[str, Any]) -> Refused | None:
    """Say why this person may not break the glass of a case; no agent ever may."""
    if not actor.is_person:
        return permissions.AgentsDoNotDecide("An agent's key cannot do what is for people to do.")
    allowed = frozenset(policy.get("break_glass") or ())
    if actor.roles & allowed:
        return None
    who = ", ".join(sorted(allowed)) or "nobody"
    return GlassNotYours(f"The case's policy lets break the glass: {who}.")


def insist_on_reason(text: str) -> str:
    """Give the reason without blanks around it, or refuse."""
    reason = visible(text)
    if len(reason) < SHORTEST:
        wrong = FieldError(
            "MISSING", "break_glass", f"at least {SHORTEST} characters", None, "Say why it cannot wait."
        )
        raise GlassNeedsReason("Breaking the glass asks for a reason in words.", errors=(wrong,))
    return reason
