import pytest

from console.audit.queries import history
from escalations import contract, operations, queries
from escalations.domain import permissions
from escalations.models import Case, Policy
from escalations.operations.learning import AlreadyTaken, NoSuchSuggestion
from escalations.vocabulary import PolicyMode
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db


def gifts(n, first=0, action="approve", outcome="executed"):
    for each in range(first, first + n):
        case = made.opened(key=f"gift-{each}", **cast.gift(each + 1))
        more = {"proposal_id": "P"} if action == "approve" else {}
        decided = made.decided(case.id, action, key=f"d-{each}", **more)
        if outcome and action == "approve":
            made.reported(decided, outcome, report_id=f"r-{each}")


def take(suggestion, by=cast.ADMIN, **more):
    said = contract.TakeSuggestion(**more)
    return operations.take_suggestion(suggestion_id=suggestion.id, said=said, by=by, at=made.NOON)


def suggested():
    return queries.suggestions().suggestions


def test_equal_decisions_become_a_suggestion_that_is_held_against_history():
    gifts(7)
    assert suggested() == ()
    gifts(1, first=7)
    (found,) = suggested()
    assert found.match["tool"] == "points.give"
    assert (len(found.cases), found.people) == (8, ("ana",))
    assert (found.would_have.looked_at, len(found.would_have.hits)) == (8, 8)


@pytest.mark.parametrize("last", [{"action": "reject"}, {"outcome": "failed"}, {"outcome": ""}])
def test_one_that_went_otherwise_is_enough_to_suggest_nothing(last):
    gifts(8)
    gifts(1, first=8, **last)
    assert suggested() == ()


def test_a_suggestion_that_is_taken_watches_first_has_an_owner_and_expires():
    gifts(8)
    (found,) = suggested()
    policy = take(found)
    assert (policy.mode, policy.owner, policy.expires_at) == ("shadow", "root", made.later(days=30))
    assert suggested() == ()
    case = made.opened(key="next", **cast.gift(3))
    assert not operations.decide_by_policy_one(at=made.NOON)
    assert Case.objects.get(pk=case.id).policy["shadows"] == [policy.name]


def test_the_shadow_is_held_against_what_people_decide():
    gifts(8)
    policy = take(suggested()[0])
    agreed = made.opened(key="n1", **cast.gift(2))
    contrary = made.opened(key="n2", **cast.gift(3))
    made.opened(key="n3", **cast.gift(4))
    made.decided(agreed.id, proposal_id="P", key="x")
    made.decided(contrary.id, "reject", key="y")
    report = queries.shadow_report(name=policy.name)
    assert (report.cases, report.agreed, report.contrary, report.undecided) == (3, 1, 1, 1)
    assert {line.would for line in report.latest} == {"approve"}


def test_switched_on_it_decides_and_one_click_switches_it_off():
    gifts(8)
    policy = take(suggested()[0], mode=PolicyMode.ON, name="small gifts")
    case = made.opened(key="next", **cast.gift(3))
    assert operations.decide_by_policy_one(at=made.NOON)
    assert Case.objects.get(pk=case.id).decided_by == "small gifts"
    operations.switch_policy(name=policy.name, mode=PolicyMode.OFF, by=cast.ADMIN, at=made.NOON)
    made.opened(key="after", **cast.gift(4))
    assert not operations.decide_by_policy_one(at=made.NOON)


def test_what_is_not_wanted_is_not_suggested_again():
    gifts(8)
    (found,) = suggested()
    operations.dismiss_suggestion(
        suggestion_id=found.id, reason="Gifts are for people.", by=cast.ADMIN, at=made.NOON
    )
    assert suggested() == ()
    assert history(subject=f"suggestion:{found.id}")[-1].verb == "suggestion_dismissed"


def test_a_suggestion_that_history_no_longer_speaks_for_cannot_be_taken():
    gifts(8)
    (found,) = suggested()
    gifts(1, first=8, action="reject")
    with pytest.raises(NoSuchSuggestion):
        take(found)
    with pytest.raises(NoSuchSuggestion):
        operations.dismiss_suggestion(suggestion_id=found.id, reason="x", by=cast.ADMIN, at=made.NOON)


def test_rules_are_made_by_administrators():
    gifts(8)
    with pytest.raises(permissions.NotYours):
        take(suggested()[0], by=made.ANA)


def test_a_suggestion_is_taken_once_and_never_over_a_policy_that_is_there():
    """A second press, or one on an old page, would switch off or take over what somebody made of it meanwhile."""
    gifts(8)
    (found,) = suggested()
    cast.policy("taken name", effect={"queue": "kept"})
    with pytest.raises(AlreadyTaken):
        take(found, name="taken name")
    policy = take(found, mode=PolicyMode.ON)
    for name in (None, "another name"):
        with pytest.raises(AlreadyTaken):
            take(found, **({"name": name} if name else {}))
    assert {row.name: (row.mode, row.version) for row in Policy.objects.all()} == {
        "taken name": ("on", 1),
        policy.name: ("on", 1),
    }
