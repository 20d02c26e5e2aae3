import pytest

from console.kit.actor import Actor, ActorKind
from escalations.domain import glass, permissions
from escalations.domain.lifecycle import State
from escalations.vocabulary import Decision, Execution
from tests.escalations import made

ADMIN = Actor(ActorKind.PERSON, "20", "root", frozenset({"admin"}))
SRE = Actor(ActorKind.PERSON, "21", "sam", frozenset({"sre"}))
SUBJECT = permissions.Subject(agent_id="1", agent_owner_id="20", four_eyes=True)
PLAIN = permissions.Subject(agent_id="1")


def state(**more):
    return State(
        revision=1,
        decision=Decision.OPEN,
        execution=Execution.NOT_STARTED,
        expires_at=made.later(hours=1),
        **more,
    )


@pytest.mark.parametrize("actor", [made.AGENT, made.ANA, made.EVE, Actor(ActorKind.POLICY, "p", "p")])
def test_nobody_breaks_the_glass_whom_the_policy_does_not_name(actor):
    assert glass.why_not_break(actor, {"break_glass": ["admin"]}) is not None
    assert glass.why_not_break(actor, {}) is not None


def test_an_agents_key_never_breaks_it():
    boss = Actor(ActorKind.AGENT, "1", "bot", frozenset({"admin"}))
    assert glass.why_not_break(boss, {"break_glass": ["admin"]}).code == "AGENTS_DO_NOT_DECIDE"


def test_whoever_is_named_may():
    assert glass.why_not_break(SRE, {"break_glass": ["sre"]}) is None


@pytest.mark.parametrize(
    ("actor", "subject", "standing", "kept", "rules"),
    [
        (ADMIN, SUBJECT, state(), {}, ("four_eyes",)),
        (SRE, PLAIN, state(), {}, ("not_permitted",)),
        (made.ANA, PLAIN, state(), {"quorum": 2}, ("quorum",)),
        (made.ANA, PLAIN, state(require_claim=True), {}, ("require_claim",)),
        (made.ANA, PLAIN, state(), {}, ()),
        (ADMIN, SUBJECT, state(require_claim=True), {"quorum": 3}, ("four_eyes", "quorum", "require_claim")),
    ],
)
def test_the_rules_that_give_way_are_named(actor, subject, standing, kept, rules):
    assert glass.broken(actor, subject, standing, kept, at=made.NOON) == rules


def test_a_reason_is_in_words():
    assert glass.insist_on_reason("  The plane leaves now.  ") == "The plane leaves now."
    with pytest.raises(glass.GlassNeedsReason):
        glass.insist_on_reason("because  ")
