import pytest

from escalations import operations
from escalations.models import Case
from tests.escalations import cast, made
from tests.escalations.doors import CASES, agent_door, door_of

pytestmark = pytest.mark.django_db
PAUSE = "/api/v1/pauses/agent/trip-booker"


def test_operators_hold_back_and_let_go():
    ana = door_of("ana", "operator")
    held = ana.put(PAUSE, {"reason": "It runs wild."})
    assert (held.status_code, held.json()["by"]) == (200, "ana")
    assert [each["name"] for each in ana.get("/api/v1/pauses").json()["pauses"]] == ["trip-booker"]
    assert ana.delete(PAUSE).status_code == 204
    assert ana.delete(PAUSE).status_code == 404
    assert ana.put("/api/v1/pauses/planet/x", {"reason": "x"}).status_code == 422


def test_agents_and_onlookers_do_not():
    for door in (agent_door("trip-booker"), door_of("eve")):
        assert door.put(PAUSE, {"reason": "x"}).status_code == 403
        assert door.put(PAUSE, {"nonsense": 1}).status_code == 403
    assert agent_door("group-desk").get("/api/v1/pauses").status_code == 403


def test_a_rule_is_switched_by_one_call_and_tells_how_it_would_have_done():
    admin = door_of("root", "admin")
    rule = {"match": {"tool": "upgrade.*"}, "effect": {"quorum": 2}}
    admin.put("/api/v1/policies/upgrades", rule)
    assert admin.put("/api/v1/policies/upgrades/mode", {"mode": "shadow"}).json()["mode"] == "shadow"
    made.opened(at=made.real_now())
    report = admin.get("/api/v1/policies/upgrades/shadow").json()
    assert (report["cases"], report["undecided"]) == (1, 1)
    assert door_of("ana", "operator").put("/api/v1/policies/upgrades/mode", {"mode": "on"}).status_code == 403
    assert admin.put("/api/v1/policies/none/mode", {"mode": "off"}).status_code == 404


@pytest.mark.parametrize(
    "effect",
    [
        {"decide": {"action": "edit"}},
        {"decide": {"action": "approve"}},
        {"decide": {"action": "reject"}},
        {"decide": {"action": "approve", "tools": ["a"]}, "quorum": 2},
        {"chain": [{"do": "wait"}]},
        {"chain": [{"do": "notify", "person": "ana", "team": "desk"}]},
        {"chain": [{"do": "notify", "person": "ana"}, {"do": "repeat", "times": 2}]},
        {"chain": [{"do": "repeat", "times": 2}, {"do": "wait", "seconds": 60}]},
        {"chain": [{"do": "webhook", "url": "file:///etc/passwd"}]},
        {"tools_may_become": ["*"]},
        {"remind_before_s": [1]},
        {"on_timeout": "approve"},
    ],
)
def test_an_effect_that_could_do_harm_is_refused(effect):
    """Check: rule with an empty or missing argument condition is refused."""
    rule = {"match": cast.GIVES, "effect": effect, "expires_at": made.later(days=9).isoformat()}
    assert door_of("root", "admin").put("/api/v1/policies/x", rule).status_code == 422


@pytest.mark.parametrize("name", ["%00", "a%0Ab", "x" * 300, "%20", "%F0%9F%98%80"])
def test_a_hostile_name_in_an_address_is_refused_or_kept_and_never_breaks_anything(name):
    admin = door_of("root", "admin")
    rule = {"match": {"tool": "a.*"}, "effect": {}}
    for door, body in (
        (f"/api/v1/policies/{name}", rule),
        (f"/api/v1/policies/{name}/mode", {"mode": "off"}),
        (f"/api/v1/teams/{name}", {"people": []}),
        (f"/api/v1/pauses/agent/{name}", {"reason": "x"}),
    ):
        assert admin.put(door, body).status_code in {200, 404, 422}
        assert admin.delete(door).status_code in {204, 404, 405, 422}
    assert admin.get(f"/api/v1/policies/{name}/shadow").status_code in {200, 404, 422}
    assert admin.post(f"/api/v1/policies/suggestions/{name}").status_code in {404, 422}
    items = [{"id": "00000000-0000-0000-0000-000000000000"}]
    said = {"key": "g", "action": "approve", "items": items}
    assert admin.post(f"/api/v1/groups/{name}/decision", said).status_code in {200, 404, 422}


def test_hostile_words_in_a_policy_reach_the_case_made_safe():
    admin = door_of("root", "admin")
    nasty = "<script> \u202e"
    match = {"tool": "points.*", "arguments": [{"path": "points", "is": "at_most", "value": 100}]}
    effect = {"queue": nasty, "decide": {"action": "reject", "message": nasty, "undo_s": 0}}
    rule = {"match": match, "effect": effect, "expires_at": made.later(days=90).isoformat()}
    never = admin.put("/api/v1/policies/x", {**rule, "effect": {"queue": f"\x00 {nasty}"}})
    assert (never.status_code, never.json()["errors"][0]["field"]) == (422, "effect")
    assert admin.put("/api/v1/policies/x", rule).status_code == 200
    made.opened(**cast.gift(5))
    operations.decide_by_policy_one(at=made.NOON)
    row = Case.objects.get()
    assert (row.decision, row.queue) == ("rejected", nasty)
    assert admin.get("/api/v1/policies").status_code == 200


@pytest.mark.parametrize("change", [{"match": {"tool": "points.*"}}, {"expires_at": None}])
def test_a_rule_that_decides_is_narrow_and_ends(change):
    """Check: rule with an empty or missing argument condition is refused."""
    rule = {"match": cast.GIVES, "effect": cast.GIVING, "expires_at": made.later(days=9).isoformat()}
    assert door_of("root", "admin").put("/api/v1/policies/x", {**rule, **change}).status_code == 422


def test_suggestions_are_read_by_people_and_taken_by_administrators():
    ana, admin = door_of("ana", "operator"), door_of("root", "admin")
    assert ana.get("/api/v1/policies/suggestions").json() == {"suggestions": []}
    assert ana.post("/api/v1/policies/suggestions/x").status_code == 403
    assert admin.post("/api/v1/policies/suggestions/x").json()["code"] == "NO_SUCH_SUGGESTION"
    assert agent_door("trip-booker").get("/api/v1/policies/suggestions").status_code == 403


def test_the_secret_of_a_chains_address_is_for_administrators():
    url = "/api/v1/policies/webhook-secret?url=https://hooks.example.com/x"
    assert len(door_of("root", "admin").get(url).json()["secret"]) == 64
    assert door_of("ana", "operator").get(url).status_code == 403


def test_glass_is_broken_through_the_ordinary_door():
    admin = door_of("root", "admin")
    rule = {"match": {"tool": "upgrade.*"}, "effect": {"quorum": 2, "break_glass": ["admin"]}}
    admin.put("/api/v1/policies/upgrades", rule)
    case = made.opened()
    word = made.word(break_glass="The plane leaves in ten minutes.")
    assert door_of("ana", "operator").post(f"{CASES}/{case.id}/decision", word).status_code == 403
    assert admin.post(f"{CASES}/{case.id}/decision", word).status_code == 201
