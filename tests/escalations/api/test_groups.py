import pytest

from escalations.models import Case
from tests.escalations import made
from tests.escalations.doors import CASES, agent_door, door_of

pytestmark = pytest.mark.django_db


def test_a_group_is_listed_and_decided_with_an_answer_for_each():
    ana = door_of("ana", "operator")
    cases = [made.opened(key=f"k{n}", title=f"Upgrade {n}") for n in range(2)]
    (group,) = ana.get("/api/v1/groups").json()["groups"]
    assert (group["cases"], group["class"]) == (2, "unknown_outcome")
    items = [{"id": str(case.id), "base_revision": 1} for case in cases]
    said = {"key": "g", "action": "approve", "items": items}
    told = ana.post(f"/api/v1/groups/{group['fingerprint']}/decision", said).json()
    assert [each["done"] for each in told["results"]] == [True, True]
    assert set(Case.objects.values_list("decision", flat=True)) == {"approved"}


def test_an_agents_key_decides_no_group():
    case = made.opened()
    fingerprint = Case.objects.get().fingerprint
    said = {"key": "g", "action": "reject", "message": "x", "items": [{"id": str(case.id)}]}
    door = agent_door("trip-booker")
    path = f"/api/v1/groups/{fingerprint}/decision"
    for body in (said, {"nonsense": 1}):
        told = door.post(path, body)
        assert (told.status_code, told.json()["code"]) == (403, "AGENTS_DO_NOT_DECIDE")
        assert "newcomers" not in told.json()
    assert door_of("eve").post(path, said).json()["code"] == "NOT_PERMITTED"
    assert Case.objects.get().decision == "open"
    assert door.get("/api/v1/groups").status_code == 403


def test_the_rest_of_a_plan_is_put_by_people():
    case = made.opened()
    made.reported(made.decided(case.id), "partial")
    ana = door_of("ana", "operator")
    told = ana.post(f"{CASES}/{case.id}/rest", {"base_revision": 1})
    assert (told.status_code, told.json()["revision"]) == (200, 2)
    assert ana.post(f"{CASES}/{case.id}/rest", {"base_revision": 1}).status_code == 409
