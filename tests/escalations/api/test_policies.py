import pytest

from tests.escalations import made
from tests.escalations.doors import CASES, agent_door, door_of

pytestmark = pytest.mark.django_db
RULES = "/api/v1/policies"
RULE = {"match": {"tool": "upgrade.*"}, "effect": {"quorum": 2}}


def test_administrators_rule_and_people_look():
    admin, ana = door_of("root", "admin"), door_of("ana", "operator")
    made_ = admin.put(f"{RULES}/upgrades", RULE)
    assert (made_.status_code, made_.json()["version"]) == (200, 1)
    assert ana.put(f"{RULES}/upgrades", RULE).status_code == 403
    assert ana.delete(f"{RULES}/upgrades").status_code == 403
    assert [each["name"] for each in ana.get(RULES).json()["policies"]] == ["upgrades"]
    assert agent_door("trip-booker").get(RULES).status_code == 403
    assert admin.delete(f"{RULES}/upgrades").status_code == 204
    assert admin.delete(f"{RULES}/upgrades").status_code == 404


def test_a_rule_for_everything_is_refused_and_says_why():
    answer = door_of("root", "admin").put(f"{RULES}/all", {"match": {"tool": "*"}, "effect": {}})
    assert answer.status_code == 422
    assert "at least one thing" in answer.json()["errors"][0]["constraint"]


def test_a_backtest_changes_nothing():
    made.opened()
    found = door_of("ana", "operator").post(f"{RULES}/backtest", {"tool": "upgrade.*"})
    assert (found.json()["looked_at"], len(found.json()["hits"])) == (1, 1)
    assert agent_door("trip-booker").post(f"{RULES}/backtest", {"tool": "x"}).status_code == 403


def test_a_vote_that_decides_nothing_yet_is_202():
    door_of("root", "admin").put(f"{RULES}/upgrades", RULE)
    case = made.opened()
    first = door_of("ana", "operator").post(f"{CASES}/{case.id}/decision", made.word())
    assert first.status_code == 202
    assert first.json() == {"votes": 1, "quorum": 2, "disputed": False}
    second = door_of("ben", "operator").post(f"{CASES}/{case.id}/decision", made.word(decision_key="d-2"))
    assert (second.status_code, second.json()["by"]["name"]) == (201, "ana, ben")


def test_who_may_not_rule_is_told_so_before_the_body_is_read():
    for door in (door_of("ana", "operator"), agent_door("trip-booker")):
        assert door.put(f"{RULES}/upgrades", {"nonsense": 1}).status_code == 403
