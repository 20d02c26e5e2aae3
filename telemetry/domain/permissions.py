"""What a person may do to agents, breakers, spikes and causes: one place that every page and route asks."""

from console.kit.actor import Actor
from console.kit.refusal import Kind, Refused

ADMIN, SRE, OPERATOR = "admin", "sre", "operator"


class NotYours(Refused):
    """The person lacks the role."""

    kind, code = Kind.FORBIDDEN, "FORBIDDEN"


def why_not_manage_agents(who: Actor) -> Refused | None:
    """Say why this one may not make agents, keys or their revocations."""
    if who.is_person and ADMIN in who.roles:
        return None
    return NotYours("Only an admin makes and revokes agents' keys.")


def why_not_command(who: Actor) -> Refused | None:
    """Say why this one may not command breakers."""
    if who.is_person and who.roles & {SRE, ADMIN}:
        return None
    return NotYours("Only an sre or an admin commands breakers.")


def why_not_answer_spikes(who: Actor) -> Refused | None:
    """Say why this one may not acknowledge spikes and mute them."""
    if who.is_person and who.roles & {SRE, ADMIN}:
        return None
    return NotYours("Only an sre or an admin acknowledges and mutes spikes.")


def why_not_relabel(who: Actor) -> Refused | None:
    """Say why this one may not say what a failure really was."""
    if who.is_person and who.roles & {OPERATOR, SRE, ADMIN}:
        return None
    return NotYours("Only an operator, an sre or an admin says what a failure really was.")


def why_not_make_rules(who: Actor) -> Refused | None:
    """Say why this one may not make rules that judge calls to come."""
    if who.is_person and who.roles & {SRE, ADMIN}:
        return None
    return NotYours("Only an sre or an admin makes rules about tools and causes.")


def check(refusal: Refused | None) -> None:
    """Raise the refusal, if there is one."""
    if refusal is not None:
        raise refusal
