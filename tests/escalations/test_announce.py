import pytest
from django.db import transaction

from console.kit import hints
from escalations import operations
from tests.escalations import made

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    told = []
    monkeypatch.setattr(
        hints, "send", lambda group, *messages: told.extend((group, each) for each in messages)
    )
    return told


def test_a_write_hints_at_the_case_and_a_decision_at_its_agent(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        case = made.opened()
    assert sent == [("people.cases", {"type": "hint", "topic": "cases", "id": str(case.id), "revision": 1})]
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        decided = made.decided(case.id)
    assert [group for group, _ in sent] == ["agent.1", "people.cases"]
    told = sent[0][1]
    assert set(told) == {"type", "escalation_id", "decision_id", "deliver_after"}
    assert told["decision_id"] == str(decided.decision_id)


def test_hints_carry_nothing_of_the_case(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        case = made.opened(title="secret title")
        operations.claim(case_id=case.id, by=made.ANA, at=made.NOON)
        made.decided(case.id, "reject", message="secret words")
    assert "secret" not in repr(sent)


def test_what_was_rolled_back_is_not_announced(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        outer = transaction.atomic()
        outer._from_testcase = True
        with pytest.raises(ZeroDivisionError), outer:
            made.opened()
            1 / 0  # noqa: B018
    assert callbacks == []
    assert sent == []
