"""What a person may do to agents and breakers: one place that every page and route asks."""

from console.kit.actor import Actor
from console.kit.refusal import Kind, Refused

ADMIN, SRE = "admin", "sre"


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


def check(refusal: Refused | None) -> None:
    """Raise the refusal, if there is one."""
    if refusal is not None:
        raise refusal
