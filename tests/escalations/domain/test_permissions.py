import pytest

from console.kit.actor import SYSTEM, Actor, ActorKind
from escalations.domain import permissions
from escalations.vocabulary import Verb

OWN = permissions.Subject(agent_id="1", agent_owner_id="11")
WATCHED = permissions.Subject(agent_id="1", agent_owner_id="11", four_eyes=True)
AGENT = Actor(ActorKind.AGENT, "1", "trip-booker")


def person(*roles, who="11"):
    return Actor(ActorKind.PERSON, who, "ana", frozenset(roles))


def code(actor, verb, subject=OWN):
    refusal = permissions.why_not(actor, verb, subject)
    return refusal and refusal.code


@pytest.mark.parametrize("verb", sorted(permissions.OF_OPERATORS))
def test_an_agents_key_decides_nothing(verb):
    assert code(AGENT, verb) == "AGENTS_DO_NOT_DECIDE"
    assert code(AGENT, verb, None) == "AGENTS_DO_NOT_DECIDE"


@pytest.mark.parametrize("verb", list(Verb))
def test_another_agents_case_is_not_there(verb):
    assert code(Actor(ActorKind.AGENT, "2", "other"), verb) == "NO_SUCH_CASE"


@pytest.mark.parametrize("verb", sorted(permissions.OF_AGENTS))
def test_what_agents_do_nobody_does_for_them(verb):
    assert code(AGENT, verb) is None
    assert code(person("operator", "admin"), verb) == "NOT_PERMITTED"
    assert code(SYSTEM, verb) == "NOT_PERMITTED"


@pytest.mark.parametrize("verb", sorted(permissions.OF_OPERATORS))
@pytest.mark.parametrize(
    ("roles", "may"), [(("operator",), True), (("admin",), True), (("sre",), False), ((), False)]
)
def test_operators_decide_and_viewers_look(verb, roles, may):
    assert (code(person(*roles), verb) is None) == may
    assert code(person(*roles), Verb.LOOK) is None


def test_every_verb_belongs_to_somebody():
    assert {Verb.LOOK} | permissions.OF_AGENTS | permissions.OF_OPERATORS == set(Verb)


@pytest.mark.parametrize("verb", sorted(permissions.DECIDING))
def test_four_eyes_keep_the_owner_out_of_deciding_and_nothing_else(verb):
    """Check: requester (agent owner) cannot approve on any route."""
    assert code(person("operator"), verb, WATCHED) == "FOUR_EYES"
    assert code(person("operator", who="12"), verb, WATCHED) is None
    assert code(person("operator"), verb, OWN) is None
    assert code(person("operator"), Verb.NOTE, WATCHED) is None
