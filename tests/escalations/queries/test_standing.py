"""Where a case stands in the queue."""

from datetime import timedelta

import pytest

from escalations import operations
from escalations.queries.standing import standing
from tests.escalations import made

pytestmark = pytest.mark.django_db


def due(key, minutes):
    return made.opened(key=key, expires_at=(made.NOON + timedelta(minutes=minutes)).isoformat())


def place(case):
    found = standing(case_id=case.id, expires_at=case.expires_at, person_id=made.ANA.id, at=made.NOON)
    return found.before, found.number, found.of, found.after


def test_a_case_knows_its_number_and_its_neighbours_by_deadline():
    late, soon, between = due("late", 90), due("soon", 30), due("between", 60)
    assert place(soon) == ("", 1, 3, between.ref)
    assert place(between) == (soon.ref, 2, 3, late.ref)
    assert place(late) == (between.ref, 3, 3, "")


def test_cases_due_at_one_moment_follow_each_other_without_a_gap():
    found = [place(each) for each in (due("a", 60), due("b", 60), due("c", 60))]
    assert sorted(number for _, number, _, _ in found) == [1, 2, 3]


def test_a_decided_case_has_no_number_and_leads_to_the_first_that_is_open():
    first, other = due("first", 30), due("other", 60)
    operations.decide(case_id=first.id, said=made.decision(), by=made.ANA, at=made.NOON)
    assert place(first) == ("", None, 1, other.ref)
