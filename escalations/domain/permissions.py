"""Who may do what to a case: one function for list, page, API, bulk and socket."""

from dataclasses import dataclass

from console.kit.actor import Actor, ActorKind
from console.kit.refusal import Kind, Refused
from escalations.vocabulary import Verb

OF_AGENTS = frozenset(
    {Verb.OPEN, Verb.REVISE, Verb.CANCEL, Verb.READ_DECISION, Verb.ACKNOWLEDGE, Verb.REPORT}
)
OF_OPERATORS = frozenset(
    {
        Verb.CLAIM,
        Verb.RELEASE,
        Verb.DECIDE,
        Verb.RETRACT,
        Verb.NOTE,
        Verb.DRAFT,
        Verb.RESOLVE,
        Verb.ASSIGN,
        Verb.SNOOZE,
        Verb.GO_ON,
    }
)
DECIDING = frozenset({Verb.DECIDE, Verb.RETRACT})
DECIDERS = frozenset(
    {"operator", "admin"}
)  # names of console.people.roles; that package stands above this one


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What permission looks at: whose case it is and whether its policy asks for four eyes."""

    agent_id: str
    agent_owner_id: str = ""
    four_eyes: bool = False


class NoSuchCase(Refused):
    """There is no such case for whoever asks: another agent's case and none at all look the same."""

    kind, code = Kind.MISSING, "NO_SUCH_CASE"


class NotYours(Refused):
    """The person's roles do not reach this far."""

    kind, code = Kind.FORBIDDEN, "NOT_PERMITTED"


class AgentsDoNotDecide(Refused):
    """An agent's key decides nothing, on any route."""

    kind, code = Kind.FORBIDDEN, "AGENTS_DO_NOT_DECIDE"


class FourEyes(Refused):
    """The owner of the agent may not decide its case."""

    kind, code = Kind.FORBIDDEN, "FOUR_EYES"


def why_not_rule(actor: Actor) -> Refused | None:
    """Policies are made by administrators."""
    if actor.kind is ActorKind.PERSON and "admin" in actor.roles:
        return None
    return NotYours("This is for administrators.")


def why_not_pause(actor: Actor) -> Refused | None:
    """Automatic decisions are held back by whoever may decide."""
    if actor.kind is ActorKind.PERSON and actor.roles & DECIDERS:
        return None
    return NotYours("This is for operators and administrators.")


def insist_on_person(actor: Actor) -> None:
    """Refuse an agent's key where only people look."""
    if actor.kind is not ActorKind.PERSON:
        raise AgentsDoNotDecide("An agent's key cannot do what is for people to do.")


def why_not(actor: Actor, verb: Verb, subject: Subject | None) -> Refused | None:
    """Say why this actor may not do this, or None; `subject` is None where no case is meant yet (open, list)."""
    match actor.kind:
        case ActorKind.AGENT:
            return _agent(actor, verb, subject)
        case ActorKind.PERSON:
            return _person(actor, verb, subject)
        case ActorKind.POLICY | ActorKind.SYSTEM:
            return None if verb not in OF_AGENTS else NotYours("Only an agent does that.")


def _agent(actor: Actor, verb: Verb, subject: Subject | None) -> Refused | None:
    if subject is not None and subject.agent_id != actor.id:
        return NoSuchCase("There is no such case.")
    if verb is Verb.LOOK or verb in OF_AGENTS:
        return None
    return AgentsDoNotDecide("An agent's key cannot do what is for people to do.")


def _person(actor: Actor, verb: Verb, subject: Subject | None) -> Refused | None:
    if verb is Verb.LOOK:
        return None
    if verb in OF_AGENTS:
        return NotYours("Only the agent itself does that, with its key.")
    if not actor.roles & DECIDERS:
        return NotYours("This is for operators. You may look.")
    if verb in DECIDING and subject is not None and subject.four_eyes and subject.agent_owner_id == actor.id:
        return FourEyes("You own this agent; somebody else has to decide.")
    return None
