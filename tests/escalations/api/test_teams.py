import pytest

from tests.escalations import made
from tests.escalations.doors import agent_door, door_of

pytestmark = pytest.mark.django_db
TEAM = "/api/v1/teams/desk"


def test_a_team_is_set_looked_at_and_dropped():
    admin, ana = door_of("root", "admin"), door_of("ana", "operator")
    told = admin.put(TEAM, {"people": ["ana", "root"], "zone": "Europe/Berlin", "since": "2026-11-30"})
    assert (told.status_code, told.json()["people"]) == (200, ["ana", "root"])
    assert [team["name"] for team in ana.get("/api/v1/teams").json()["teams"]] == ["desk"]
    assert ana.put(TEAM, {"people": []}).status_code == 403
    assert agent_door("trip-booker").get("/api/v1/teams").status_code == 403
    assert admin.delete(TEAM).status_code == 204
    assert admin.delete(TEAM).status_code == 404


def test_somebody_stands_in():
    admin, ana = door_of("root", "admin"), door_of("ana", "operator")
    admin.put(TEAM, {"people": ["ana"]})
    soon, end = made.real_now(), made.real_now().replace(year=2099)
    said = {"person": "root", "starts_at": soon.isoformat(), "ends_at": end.isoformat()}
    told = ana.post(f"{TEAM}/overrides", said)
    assert (told.status_code, told.json()["on_call"][0]) == (201, "root")
    number = told.json()["overrides"][0]["id"]
    assert ana.delete(f"{TEAM}/overrides/{number}").json()["on_call"] == ["ana"]
    assert ana.delete(f"{TEAM}/overrides/{number}").status_code == 404


@pytest.mark.parametrize(
    "said",
    [
        {"people": ["ana", "ana"]},
        {"people": ["ana"], "zone": "../etc/passwd"},
        {"people": ["ana"], "weekday": 7},
        {"people": ["ana"], "handover": "24:00"},
        {"people": ["ana"], "since": "2026-02-31"},
    ],
)
def test_what_no_calendar_knows_is_refused(said):
    door_of("ana", "operator")
    assert door_of("root", "admin").put(TEAM, said).status_code == 422


def test_who_may_not_set_a_team_is_told_so_before_the_body_is_read():
    for door in (door_of("ana", "operator"), agent_door("trip-booker")):
        assert door.put(TEAM, {"nonsense": 1}).status_code == 403
    assert door_of("eve").post(f"{TEAM}/overrides", {"nonsense": 1}).status_code == 403
