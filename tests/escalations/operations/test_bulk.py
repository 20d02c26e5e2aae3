import sys

import pytest
from django.db import OperationalError

from console.audit.queries import history
from escalations import contract, operations
from escalations.models import Case, Decision
from tests.escalations import made

pytestmark = pytest.mark.django_db
many = sys.modules["escalations.operations.bulk"]  # the package gives the function under this name


def bulk(verb, *cases, by=made.ANA, key="b-1", revision=1, **more):
    items = [{"id": str(case.id), "base_revision": revision} for case in cases]
    said = contract.Bulk.model_validate_json(made.as_json({"key": key, "verb": verb, "items": items, **more}))
    return operations.bulk(said=said, by=by, at=made.NOON).results


def test_each_case_gets_its_own_plan_its_own_decision_and_its_own_answer():
    first = made.opened(key="a")
    second = made.opened(key="b", proposals=[made.keep_seat()])
    neither = made.opened(key="c", proposals=[made.keep_seat(), {**made.keep_seat(), "id": "C"}])
    results = bulk("approve", first, second, neither)
    assert [(each.done, each.code) for each in results] == [
        (True, ""), (True, ""), (False, "NO_SUCH_PROPOSAL"),
    ]  # fmt: skip
    assert set(Decision.objects.values_list("proposal_id", flat=True)) == {"A", "B"}
    for case in (first, second):
        verbs = [entry.verb for entry in history(subject=f"case:{case.ref.removeprefix('C-')}")]
        assert verbs == ["opened", "approved"]


def test_the_same_again_decides_nothing_twice():
    cases = [made.opened(key=f"k{n}") for n in range(3)]
    assert bulk("reject", *cases, message="Tool is down") == bulk("reject", *cases, message="Tool is down")
    assert Decision.objects.count() == 3


def test_a_live_claim_of_somebody_else_is_left_alone_and_ones_own_is_not():
    """Check: auto job skips an item under a live claim."""
    held, free = made.opened(key="a"), made.opened(key="b")
    operations.claim(case_id=held.id, by=made.BEN, at=made.NOON)
    results = bulk("reject", held, free, message="no")
    assert [(each.done, each.code) for each in results] == [(False, "HELD_BY_ANOTHER"), (True, "")]
    assert results[0].extra["held"]["holder"] == "ben"
    assert Case.objects.get(pk=held.id).decision == "open"
    assert bulk("reject", held, by=made.BEN, message="no")[0].done


def test_what_moved_meanwhile_is_told_and_not_decided():
    moved, gone = made.opened(key="a"), made.opened(key="b")
    made.revised(moved.id, base_revision=1, title="Changed")
    made.decided(gone.id, "reject", by=made.BEN)
    results = bulk("approve", moved, gone)
    assert [each.code for each in results] == ["STALE_REVISION", "ALREADY_DECIDED"]
    assert results[1].extra["winner"]["name"] == "ben"


@pytest.mark.parametrize("verb", ["claim", "snooze", "release"])
def test_other_verbs_for_many(verb):
    cases = [made.opened(key=f"k{n}") for n in range(2)]
    more = {"until": made.later(hours=1).isoformat()} if verb == "snooze" else {}
    assert [each.done for each in bulk(verb, *cases, **more)] == [True, True]
    assert Case.objects.filter(holder_id=made.ANA.id).count() == (2 if verb == "claim" else 0)


def test_many_are_put_on_somebodys_list(operator):
    cases = [made.opened(key=f"k{n}") for n in range(2)]
    assert [each.done for each in bulk("assign", *cases, person=operator.username)] == [True, True]
    assert set(Case.objects.values_list("assignee_name", flat=True)) == {operator.username}
    assert bulk("assign", cases[0], person="nobody")[0].code == "NO_SUCH_DECIDER"


def test_where_two_have_to_agree_the_answer_says_that_it_is_a_vote():
    case = made.opened()
    Case.objects.update(policy={"quorum": 2})
    (result,) = bulk("reject", case, message="no")
    assert (result.done, result.code) == (True, "VOTE_KEPT")
    assert not Decision.objects.exists()


def test_an_agents_key_does_nothing_to_many_either():
    case = made.opened()
    assert bulk("approve", case, by=made.AGENT)[0].code == "AGENTS_DO_NOT_DECIDE"
    assert bulk("approve", case, by=made.OTHER_AGENT)[0].code == "NO_SUCH_CASE"


def test_what_the_database_does_not_take_fails_for_itself_and_is_done_by_the_same_request_again(monkeypatch):
    cases = [made.opened(key=f"k{n}") for n in range(3)]
    decide, busy = many.decide, [cases[1].id]

    def sometimes(*, case_id, **more):
        if case_id in busy:
            raise OperationalError("database is locked")
        return decide(case_id=case_id, **more)

    monkeypatch.setattr(many, "decide", sometimes)
    codes = [each.code for each in bulk("reject", *cases, message="no")]
    assert codes == ["", "DATABASE_BUSY", ""]
    busy.clear()
    assert all(each.done for each in bulk("reject", *cases, message="no"))
    assert Decision.objects.count() == 3
