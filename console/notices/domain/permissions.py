"""Who may look at a channel and change it: one function for page and API."""

from console.kit.actor import Actor
from console.kit.refusal import Kind, Refused

ADMIN = "admin"  # a name of console.people.roles; that package stands above this one


class NotForAgents(Refused):
    """An agent's key has no business with what people are told."""

    kind, code = Kind.FORBIDDEN, "NOT_FOR_AGENTS"


class NotYours(Refused):
    """Team channels are an administrator's, a person's own are the person's."""

    kind, code = Kind.FORBIDDEN, "NOT_PERMITTED"


class NoSuchChannel(Refused):
    """There is no such channel for whoever asks: somebody else's and none at all look the same."""

    kind, code = Kind.MISSING, "NO_SUCH_CHANNEL"


def insist_on_person(actor: Actor) -> int:
    """Give the person's id, or refuse."""
    if not actor.is_person:
        raise NotForAgents("An agent's key cannot do what is for people to do.")
    return int(actor.id)


def insist_on_admin(actor: Actor) -> None:
    """Refuse whoever may not rule over what a team is told."""
    insist_on_person(actor)
    if ADMIN not in actor.roles:
        raise NotYours("Team channels are for administrators.")


def insist(actor: Actor, *, owner_id: int | None) -> None:
    """Refuse whoever may not change a channel; `owner_id` is None for a team's."""
    if owner_id is None:
        insist_on_admin(actor)
    elif insist_on_person(actor) != owner_id:
        raise NoSuchChannel("There is no such channel.")
