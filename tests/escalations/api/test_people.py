import uuid

import pytest
from django.contrib.auth import get_user_model
from rest_framework.test import APIClient

from console.audit.queries import history
from console.kit.actor import SYSTEM
from console.people import operations as people
from escalations.models import Case, Decision
from tests import factories
from tests.escalations import made
from tests.escalations.doors import CASES, Door, agent_door, door_of
from tests.escalations.pages import browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def case():
    return made.opened()


@pytest.fixture
def ana():
    return door_of("ana", "operator")


def at(case, verb=""):
    return f"{CASES}/{case.id}{'/' if verb else ''}{verb}"


def test_claiming_is_making_a_claim_and_releasing_deleting_it(case, ana):
    made_ = ana.post(at(case, "claim"))
    assert (made_.status_code, made_.json()["holder"]) == (201, "ana")
    other = door_of("ben", "operator")
    held = other.post(at(case, "claim"))
    assert (held.status_code, held.json()["code"], held.json()["held"]["holder"]) == (
        409,
        "HELD_BY_ANOTHER",
        "ana",
    )
    over = other.post(at(case, "claim"), {"take_over": True})
    assert (over.status_code, over.json()["taken_over_from"]) == (201, "ana")
    assert other.delete(at(case, "claim")).json()["holder"] is None


def test_deciding_again_with_the_same_key_is_200_and_the_loser_gets_the_winner(case, ana):
    """Check: two operators decide at once; same decision and key again."""
    first, again = (ana.post(at(case, "decision"), made.word()) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first.json()["by"] == {"kind": "person", "name": "ana"}
    lost = door_of("ben", "operator").post(
        at(case, "decision"), made.word("reject", decision_key="d-2", message="no")
    )
    assert (lost.status_code, lost.json()["code"]) == (409, "ALREADY_DECIDED")
    assert lost.json()["winner"]["name"] == "ana"
    assert lost.json()["winner"]["action"] == "approve"


def test_a_stale_revision_is_409_with_the_current_one(case, ana):
    made.revised(case.id, base_revision=1, title="Changed")
    answer = ana.post(at(case, "decision"), made.word())
    assert (answer.status_code, answer.json()["code"], answer.json()["revision"]) == (
        409,
        "STALE_REVISION",
        2,
    )


def test_a_body_cannot_say_who_decides_or_change_the_tool(case, ana):
    """Check: edit cannot change the tool unless policy says so; the actor comes from the session only."""
    by = ana.post(at(case, "decision"), made.word(decided_by="boss"))
    tool = ana.post(at(case, "decision"), made.word("edit", steps=[{"id": "s2", "tool": "rm", "args": {}}]))
    assert (by.status_code, by.json()["errors"][0]["code"]) == (422, "EXTRA_FORBIDDEN")
    assert (tool.status_code, tool.json()["errors"][0]["code"]) == (422, "TOOL_IS_FIXED")
    assert Case.objects.get().decision == "open"


@pytest.mark.parametrize("roles", [(), ("sre",)])
def test_who_is_no_operator_looks_and_does_nothing(case, roles):
    """Check: one permission function; a demoted user's open tab gets 403."""
    eve = door_of("eve", *roles)
    assert eve.get(CASES).status_code == 200
    assert eve.get(at(case)).status_code == 200
    asked = [
        eve.post(at(case, "claim")),
        eve.delete(at(case, "claim")),
        eve.post(at(case, "decision"), made.word()),
        eve.delete(at(case, "decision")),
        eve.post(at(case, "notes"), {"text": "x"}),
        eve.post(at(case, "resolution"), {"note": "x"}),
    ]
    assert {answer.status_code for answer in asked} == {403}


@pytest.mark.parametrize("how", ["demoted", "gone"])
def test_an_open_tab_and_a_token_end_with_the_role_on_every_route(case, how):
    """Check: one permission function; a demoted user's open tab gets 403."""
    ana = door_of("ana", "operator")
    person = get_user_model().objects.get(username="ana")
    token = Door(APIClient())
    secret = people.issue_token(person_id=person.pk, label="t", by=SYSTEM, at=made.real_now())
    token.client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    assert [door.post(at(case, "claim")).status_code for door in (ana, token)] == [201, 201]
    shown = browser.digest_shown(ana.client, case)
    if how == "demoted":
        people.set_roles(person_id=person.pk, roles=frozenset(), by=SYSTEM, at=made.real_now())
    else:
        get_user_model().objects.filter(pk=person.pk).update(is_active=False)
    items = [{"id": str(case.id), "base_revision": 1}]
    cause = Case.objects.get().fingerprint
    for door in (ana, token):
        asked = [
            door.post(at(case, "claim")),
            door.delete(at(case, "claim")),
            door.post(at(case, "decision"), made.word()),
            door.delete(at(case, "decision")),
            door.post(at(case, "notes"), {"text": "x"}),
            door.post(at(case, "resolution"), {"note": "x"}),
            door.put(at(case, "assignee"), {"person": None}),
            door.put(at(case, "snooze"), {"until": None}),
            door.post(at(case, "rest"), {"base_revision": 1}),
            door.post(at(case, "redelivery")),
            door.post(f"{CASES}/bulk", {"key": "b", "verb": "approve", "items": items}),
            door.post(f"/api/v1/groups/{cause}/decision", {"key": "g", "action": "approve", "items": items}),
        ]
        assert {answer.status_code for answer in asked} == {403 if how == "demoted" else 401}
    browser.send(ana.client, case, seen=shown, shown="0")
    assert Case.objects.get().decision == "open"
    assert not Decision.objects.exists()


def test_an_agents_key_decides_nothing_on_any_route(case):
    agent = agent_door("trip-booker")
    mine = agent.post(CASES, made.package()).json()["id"]
    asked = [
        agent.post(f"{CASES}/{mine}/claim"),
        agent.delete(f"{CASES}/{mine}/claim"),
        agent.post(f"{CASES}/{mine}/decision", made.word()),
        agent.delete(f"{CASES}/{mine}/decision"),
        agent.post(f"{CASES}/{mine}/notes", {"text": "x"}),
        agent.post(f"{CASES}/{mine}/resolution", {"note": "x"}),
    ]
    assert {answer.json()["code"] for answer in asked} == {"AGENTS_DO_NOT_DECIDE"}


def test_a_person_does_nothing_in_an_agents_name(case, ana):
    said = {"decision_id": str(case.id), "args_digest": "0" * 64}
    asked = [
        ana.post(CASES, made.package(key="x")),
        ana.put(
            at(case),
            {name: value for name, value in made.package().items() if name != "key"} | {"base_revision": 1},
        ),
        ana.post(at(case, "cancel")),
        ana.post(at(case, "ack"), said),
        ana.post(at(case, "outcome"), {**said, "report_id": "r", "status": "executed"}),
        ana.get(at(case, "decision")),
    ]
    assert {answer.status_code for answer in asked} == {403}


def test_the_owner_of_the_agent_decides_through_no_door_where_four_eyes_are_asked_for(settings):
    """Check: requester (agent owner) cannot approve on any route."""
    settings.FOUR_EYES = True
    settings.UNDO_WINDOW_S = 3600
    ana = door_of("ana", "operator", "admin")
    owner = get_user_model().objects.get(username="ana")
    agent_id = factories.agent("trip-booker", owner_id=owner.pk)
    case = made.opened(by=type(made.AGENT)(made.AGENT.kind, str(agent_id), "trip-booker"))
    items = [{"id": str(case.id), "base_revision": 1}]
    cause = Case.objects.get().fingerprint
    answer = ana.post(at(case, "decision"), made.word())
    assert (answer.status_code, answer.json()["code"]) == (403, "FOUR_EYES")
    glass = ana.post(at(case, "decision"), made.word(break_glass="Nobody else is here."))
    assert (glass.status_code, glass.json()["code"]) == (403, "BREAK_GLASS_NOT_ALLOWED")
    for path, word in (
        (f"{CASES}/bulk", {"key": "b", "verb": "approve", "items": items}),
        (f"/api/v1/groups/{cause}/decision", {"key": "g", "action": "approve", "items": items}),
    ):
        (result,) = ana.post(path, word).json()["results"]
        assert (result["done"], result["code"]) == (False, "FOUR_EYES")
    browser.send(ana.client, case, seen=browser.digest_shown(ana.client, case), shown="0")
    assert not Decision.objects.exists()
    assert door_of("ben", "operator").post(at(case, "decision"), made.word()).status_code == 201
    assert ana.delete(at(case, "decision")).json()["code"] == "FOUR_EYES"


def test_get_changes_nothing(case, ana):
    """Check: GET on any link changes nothing."""
    before = Case.objects.values().get()
    entries = len(history(subject=f"case:{before['number']}"))
    for path in (
        CASES,
        at(case),
        at(case, "decision"),
        at(case, "claim"),
        at(case, "ack"),
        at(case, "outcome"),
        at(case, "cancel"),
    ):
        ana.get(path)
    assert Case.objects.values().get() == before
    assert len(history(subject=f"case:{before['number']}")) == entries


def test_a_session_without_its_csrf_token_decides_nothing(case):
    strict = APIClient(enforce_csrf_checks=True)
    strict.force_login(factories.person("ana", "operator"))
    answer = strict.post(at(case, "decision"), made.word(), format="json")
    assert answer.status_code == 403
    assert Case.objects.get().decision == "open"


def test_notes_and_closing_by_hand(case, ana):
    assert ana.post(at(case, "notes"), {"text": "Called them"}).status_code == 201
    made.reported(made.decided(case.id), "failed")
    assert ana.post(at(case, "resolution"), {"note": "Refunded"}).status_code == 200
    assert ana.post(at(case, "resolution"), {"note": "Refunded"}).status_code == 409


def test_a_decision_is_taken_back_while_the_window_lasts(ana, settings):
    settings.UNDO_WINDOW_S = 3600
    case = made.opened()
    assert ana.post(at(case, "decision"), made.word()).status_code == 201
    assert ana.delete(at(case, "decision")).json()["decision"] == "open"
    assert ana.delete(at(case, "decision")).json()["code"] == "NOT_ALLOWED_NOW"


def test_assigning_snoozing_and_deciding_many(case, ana):
    assert ana.put(at(case, "assignee"), {"person": "ana"}).status_code == 200
    assert Case.objects.get().assignee_name == "ana"
    assert ana.put(at(case, "assignee"), {"person": "nobody"}).json()["code"] == "NO_SUCH_DECIDER"
    assert ana.put(at(case, "snooze"), {"until": "2001-01-01T00:00:00Z"}).json()["code"] == "BAD_SNOOZE"
    assert ana.put(at(case, "snooze"), {"until": None}).status_code == 200
    items = [{"id": str(case.id), "base_revision": 1}, {"id": str(uuid.uuid4()), "base_revision": 1}]
    many = ana.post(f"{CASES}/bulk", {"key": "b-1", "verb": "approve", "items": items})
    assert [(each["done"], each["code"]) for each in many.json()["results"]] == [
        (True, ""),
        (False, "NO_SUCH_CASE"),
    ]


def test_who_may_decide_nothing_is_turned_away_from_deciding_many_before_the_body_is_read(case):
    said = {"key": "b", "verb": "claim", "items": [{"id": str(case.id), "base_revision": 1}]}
    for door, code in (
        (agent_door("trip-booker"), "AGENTS_DO_NOT_DECIDE"),
        (door_of("eve"), "NOT_PERMITTED"),
    ):
        for body in (said, {"nonsense": 1}):
            told = door.post(f"{CASES}/bulk", body)
            assert (told.status_code, told.json()["code"]) == (403, code)


@pytest.mark.parametrize(("length", "status"), [(200, 200), (201, 422), (300, 422)])
def test_the_key_of_many_leaves_room_for_the_name_of_each(case, ana, length, status):
    items = [{"id": str(case.id), "base_revision": 1}]
    said = {"key": "k" * length, "verb": "approve", "items": items}
    assert ana.post(f"{CASES}/bulk", said).status_code == status
