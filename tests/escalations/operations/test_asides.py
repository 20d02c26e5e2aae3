import pytest

from console.audit.queries import history
from escalations import operations, queries
from escalations.domain import lifecycle, permissions
from escalations.models import Case
from escalations.operations.asides import NoSuchDecider
from escalations.vocabulary import View
from tests import factories
from tests.escalations import made

pytestmark = pytest.mark.django_db


def verbs():
    return [entry.verb for entry in history(subject=f"case:{Case.objects.get().number}")]


def titles(view, who=made.ANA, at=made.NOON):
    return [row.title for row in queries.queue(view=view, person_id=who.id, at=at).rows]


def test_a_case_is_put_on_an_operators_list_and_taken_off():
    ben = factories.person("ben", "operator")
    case = made.opened()
    for _ in range(2):
        operations.assign(case_id=case.id, to="ben", by=made.ANA, at=made.NOON)
    who = type(made.ANA)(made.ANA.kind, str(ben.pk), "ben")
    assert titles(View.MINE, who) == [case.title]
    operations.assign(case_id=case.id, to="", by=made.ANA, at=made.NOON)
    assert titles(View.MINE, who) == []
    assert verbs() == ["opened", "assigned", "assigned"]


@pytest.mark.parametrize(("name", "roles"), [("eve", ()), ("sam", ("sre",)), ("nobody", None)])
def test_only_who_may_decide_is_given_a_case(name, roles):
    if roles is not None:
        factories.person(name, *roles)
    with pytest.raises(NoSuchDecider):
        operations.assign(case_id=made.opened().id, to=name, by=made.ANA, at=made.NOON)


def test_a_snoozed_case_leaves_the_queue_and_comes_back_by_itself():
    case = made.opened(expires_at=made.later(hours=2).isoformat())
    operations.snooze(case_id=case.id, until=made.later(hours=1), by=made.ANA, at=made.NOON)
    assert titles(View.OPEN) == []
    assert titles(View.SNOOZED) == [case.title]
    assert titles(View.OPEN, at=made.later(hours=1)) == [case.title]
    operations.snooze(case_id=case.id, until=None, by=made.ANA, at=made.NOON)
    assert titles(View.OPEN) == [case.title]
    assert verbs() == ["opened", "snoozed", "woken"]


@pytest.mark.parametrize("hours", [-1, 0, 2, 3])
def test_no_case_rests_until_after_its_deadline(hours):
    case = made.opened(expires_at=made.later(hours=2).isoformat())
    with pytest.raises(lifecycle.BadSnooze):
        operations.snooze(case_id=case.id, until=made.later(hours=hours), by=made.ANA, at=made.NOON)


def test_what_is_decided_is_neither_assigned_nor_snoozed():
    case = made.opened()
    made.decided(case.id, "reject")
    with pytest.raises(lifecycle.AlreadyDecided):
        operations.assign(case_id=case.id, to="", by=made.ANA, at=made.NOON)
    with pytest.raises(lifecycle.AlreadyDecided):
        operations.snooze(case_id=case.id, until=made.later(hours=1), by=made.ANA, at=made.NOON)


def test_a_decision_ends_the_rest():
    case = made.opened()
    operations.snooze(case_id=case.id, until=made.later(hours=1), by=made.ANA, at=made.NOON)
    made.decided(case.id, "reject")
    assert Case.objects.get().snoozed_until is None


def test_viewers_put_nothing_aside():
    with pytest.raises(permissions.NotYours):
        operations.snooze(case_id=made.opened().id, until=None, by=made.EVE, at=made.NOON)
