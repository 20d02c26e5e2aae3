import pytest

from escalations.models import Case
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db


def row():
    return Case.objects.get()


def test_a_new_revision_runs_its_policys_deadline_anew():
    cast.policy(effect={"deadline_s": 600})
    case = made.opened()
    made.revised(case.id, base_revision=1, at=made.later(minutes=5), title="Changed")
    assert row().expires_at == made.later(minutes=15)
    far = made.later(days=2).isoformat()
    made.revised(case.id, base_revision=2, at=made.later(minutes=6), title="Again", expires_at=far)
    assert row().expires_at == made.later(minutes=16)


def test_nobody_escapes_a_second_pair_of_eyes_by_revising():
    cast.policy(effect={"quorum": 2, "four_eyes": True})
    case = made.opened()
    harmless = {"call_id": "c", "tool": "weather.look"}
    made.revised(case.id, base_revision=1, failure=harmless, proposals=[made.keep_seat()])
    assert (row().policy["name"], row().policy["quorum"], row().policy["four_eyes"]) == ("", 2, True)


def test_a_revision_that_asks_for_more_falls_under_the_rule_for_more():
    large = {"tool": "points.*", "arguments": [{"path": "/points", "is": "more_than", "value": 1_000}]}
    cast.policy("large", match=large, effect={"quorum": 2, "queue": "finance"})
    case = made.opened(**cast.gift(10))
    made.revised(case.id, base_revision=1, **cast.gift(5_000))
    assert (row().policy["name"], row().policy["quorum"], row().queue) == ("large", 2, "finance")


def test_a_revision_starts_the_chain_and_the_reminders_anew():
    cast.policy(effect={"chain": [{"do": "wait", "seconds": 60}, {"do": "notify", "person": "x"}]})
    case = made.opened(expires_at=made.later(hours=1).isoformat())
    assert (row().chain_at, row().chain_step) == (made.later(seconds=60), 1)
    later = made.later(minutes=10)
    expires = made.later(hours=2).isoformat()
    made.revised(case.id, base_revision=1, at=later, title="Changed", expires_at=expires)
    assert (row().chain_at, row().remind_at) == (made.later(minutes=11), made.later(minutes=105))
