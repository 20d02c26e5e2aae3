from uuid import uuid4

import pytest

from console.audit.queries import history
from escalations import operations, queries
from escalations.domain import permissions
from escalations.models import Case, Decision
from escalations.operations.delivery import DigestMismatch, NoSuchDecision, StaleFence
from escalations.vocabulary import Source
from tests.escalations import made

pytestmark = pytest.mark.django_db


def mark(*decisions, at=made.NOON):
    ids = [decided.decision_id for decided in decisions]
    return operations.mark_delivered(decision_ids=ids, via=Source.SOCKET, at=at)


def out(*cases, at=made.NOON):
    found = queries.out_for(escalation_ids=[case.id for case in cases], at=at)
    return [each.decision.decision_id for each in found]


def test_a_decision_is_out_until_it_is_acknowledged():
    """Check: kill the agent between decide and delivery; reconnect: decision arrives."""
    case = made.opened()
    assert out(case) == []
    decided = made.decided(case.id)
    assert out(case) == [decided.decision_id]
    mark(decided)
    assert out(case) == [decided.decision_id]
    made.acknowledged(decided)
    assert out(case) == []


def test_a_decision_made_before_anybody_waits_is_kept():
    """Check: event or decision that comes before the agent starts waiting is kept."""
    case = made.opened()
    decided = made.decided(case.id)
    found = queries.decision_about(case_id=case.id, actor=made.AGENT, at=made.later(days=9))
    assert found.decision_id == decided.decision_id


def test_decisions_of_an_agent_are_in_one_order():
    cases = [made.opened(key=f"k{n}") for n in range(3)]
    made.opened(key="x", by=made.OTHER_AGENT)
    decided = [made.decided(case.id, "reject").decision_id for case in reversed(cases)]
    assert out(*cases) == decided
    assert list(Decision.objects.order_by("seq").values_list("seq", flat=True)) == [1, 2, 3]


def test_marking_twice_says_it_once():
    case = made.opened()
    decided = made.decided(case.id)
    assert mark(decided, at=made.later(seconds=1)) == 1
    assert mark(decided, at=made.later(seconds=2)) == 0
    row = Decision.objects.get()
    assert (row.delivered_at, row.delivered_by) == (made.later(seconds=1), "socket")
    assert Case.objects.get().execution == "delivered"
    verbs = [entry.verb for entry in history(subject=f"case:{Case.objects.get().number}")]
    assert verbs == ["opened", "approved", "delivered"]


def test_another_machines_clock_does_not_put_delivery_before_the_decision():
    decided = made.decided(made.opened().id)
    mark(decided, at=made.later(seconds=-3))
    assert Decision.objects.get().delivered_at == made.NOON


def test_an_acknowledgement_is_stored_once_and_moves_the_execution():
    case = made.opened()
    decided = made.decided(case.id)
    first = made.acknowledged(decided, at=made.later(seconds=1))
    again = made.acknowledged(decided, at=made.later(seconds=5))
    assert first.acknowledged_at == again.acknowledged_at == made.later(seconds=1)
    row = Case.objects.get()
    assert (row.execution, row.report_due_at) == ("acknowledged", made.later(seconds=601))
    verbs = [entry.verb for entry in history(subject=f"case:{row.number}")]
    assert verbs.count("acknowledged") == 1


def test_a_lower_fence_is_a_stale_process():
    decided = made.decided(made.opened().id)
    made.acknowledged(decided, fence=5)
    with pytest.raises(StaleFence):
        made.acknowledged(decided, fence=4)
    assert made.acknowledged(decided, fence=6).fence == 6
    assert made.acknowledged(decided).fence == 6


def test_other_steps_than_the_decided_ones_are_not_acknowledged():
    decided = made.decided(made.opened().id)
    with pytest.raises(DigestMismatch):
        made.acknowledged(decided, digest="0" * 64)
    assert Decision.objects.get().acknowledged_at is None


def test_another_agents_decision_is_not_there():
    decided = made.decided(made.opened().id)
    with pytest.raises(permissions.NoSuchCase):
        made.acknowledged(decided, by=made.OTHER_AGENT)
    with pytest.raises(permissions.NoSuchCase):
        queries.decision_about(case_id=decided.escalation_id, actor=made.OTHER_AGENT, at=made.NOON)


def test_a_decision_in_its_undo_window_is_not_out(settings):
    settings.UNDO_WINDOW_S = 10
    case = made.opened()
    decided = made.decided(case.id)
    assert out(case, at=made.later(seconds=9)) == []
    with pytest.raises(NoSuchDecision):
        made.acknowledged(decided, at=made.later(seconds=9))
    assert out(case, at=made.later(seconds=10)) == [decided.decision_id]


def test_a_retracted_decision_is_never_sent(settings):
    settings.UNDO_WINDOW_S = 10
    case = made.opened()
    decided = made.decided(case.id)
    operations.retract(case_id=case.id, by=made.ANA, at=made.NOON)
    assert out(case, at=made.later(hours=1)) == []
    assert mark(decided, at=made.later(hours=1)) == 0
    with pytest.raises(NoSuchDecision):
        made.acknowledged(decided, at=made.later(hours=1))


def test_a_refusal_is_acknowledged_too_and_runs_nothing():
    decided = made.decided(made.opened().id, "reject")
    made.acknowledged(decided)
    assert Case.objects.get().execution == "not_applicable"
    assert Case.objects.get().report_due_at is None


def test_a_decision_nobody_knows_is_not_marked():
    assert operations.mark_delivered(decision_ids=[uuid4()], via=Source.SOCKET, at=made.NOON) == 0
