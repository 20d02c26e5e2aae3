from datetime import timedelta

import pytest

from escalations.domain import policy
from escalations.vocabulary import ChainDo
from tests.escalations import made

STEP = policy.ChainStep(do=ChainDo.NOTIFY, person="ana")


def copy(name="", **effect):
    rule = policy.Rule(name=name, version=3, match=policy.Match(tool="a.b"), effect=policy.Effect(**effect))
    ruling = policy.Ruling(rule=rule if name else None)
    return policy.copied(ruling, four_eyes=False, require_claim=False)


def test_the_copy_gives_its_chain_and_its_own_decision_back():
    auto = policy.Auto(action="approve", tools=("a.b",), writes=True, undo_s=5)
    kept = copy("one", chain=(STEP,), decide=auto)
    assert policy.kept_chain(kept) == (STEP,)
    assert policy.kept_auto(kept) == (auto, policy.Match(tool="a.b"))
    assert policy.kept_auto(copy()) is None


def test_the_same_rule_stays_the_copy_it_was_when_the_case_is_revised():
    kept = copy("one", quorum=2)
    assert policy.revised(kept, copy("one", quorum=1)) == kept


@pytest.mark.parametrize("fresh", ["", "other"])
def test_nothing_gets_easier_by_a_revision(fresh):
    kept = copy("one", quorum=2, four_eyes=True, require_claim=True, queue="desk")
    auto = policy.Auto(action="approve", tools=("a.b",))
    after = policy.revised(kept, copy(fresh, decide=auto) if fresh else copy())
    assert (after["name"], after["quorum"], after["four_eyes"]) == (fresh, 2, True)
    assert (after["require_claim"], after["decide"], after["queue"]) == (True, None, "desk")


def test_a_revision_that_falls_under_a_stricter_rule_is_under_it():
    after = policy.revised(copy("one"), copy("large", quorum=3, queue="bosses"))
    assert (after["name"], after["quorum"], after["queue"]) == ("large", 3, "bosses")


def test_the_earlier_deadline_counts():
    asked = made.later(hours=2)
    assert policy.deadline(None, asked, at=made.NOON) == asked
    assert policy.deadline(60, asked, at=made.NOON) == made.NOON + timedelta(seconds=60)
    assert policy.deadline(99_999, asked, at=made.NOON) == asked
