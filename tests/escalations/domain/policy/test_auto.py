import pytest

from escalations.domain import policy
from escalations.vocabulary import Action, Comparison
from tests.escalations import made

SMALL = policy.Condition(path="points", is_=Comparison.AT_MOST, value=100)
MATCH = policy.Match(tool="points.*", arguments=(SMALL,))
GIVE = policy.Auto(action="approve", tools=("points.give",), writes=True)


def package(points=10, side_effect="write", **more):
    step = made.step("s1", "points.give", args={"points": points}, side_effect=side_effect)
    proposal = {**made.keep_seat(), "id": "P", "steps": [step]}
    return made.package(proposals=[proposal], **more)


@pytest.mark.parametrize(
    ("auto", "packed", "reason"),
    [
        (GIVE, package(), ""),
        (GIVE, package(points=101), "a call that the rule does not hold for"),
        (GIVE, package(allowed=["reject"]), "does not take"),
        (GIVE, made.package(), "a call that the rule does not hold for"),
        (policy.Auto(action="approve", tools=("points.give",)), package(), "only what reads"),
        (policy.Auto(action="approve", tools=("points.give",)), package(side_effect="read"), ""),
        (policy.Auto(action="approve", tools=("x", "points.give"), writes=True), package(), "other calls"),
        (policy.Auto(action="reject", message="Never."), package(), ""),
        (policy.Auto(action="reject", message="Never."), package(points=900), "does not hold"),
        (policy.Auto(action="reject", message="Never."), package() | {"proposals": []}, ""),
    ],
)
def test_a_policy_decides_only_what_it_means(auto, packed, reason):
    found = policy.why_not_auto(auto, MATCH, packed)
    assert reason in found
    assert bool(found) == bool(reason)


def test_its_word_names_the_plan_and_says_that_it_is_a_policys():
    word = policy.auto_word(GIVE, package(), name="small gifts")
    assert (word.action, word.proposal_id, word.message) == (
        Action.APPROVE,
        "P",
        "Decided by the policy “small gifts”.",
    )
