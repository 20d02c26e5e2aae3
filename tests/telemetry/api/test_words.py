"""What people say over REST: by their role, stored as on the pages, and never by an agent's key."""

from datetime import timedelta

import pytest
from django.utils.timezone import now
from rest_framework.test import APIClient

from console.kit.actor import SYSTEM
from console.people.operations import issue_token
from telemetry.models import Call, Spike, Tool
from telemetry.queries import mutes, rules
from telemetry.vocabulary import SpikeKind
from tests.telemetry.calls import body
from tests.telemetry.pages.made import refused

pytestmark = pytest.mark.django_db


def by_token(person):
    client = APIClient()
    token = issue_token(person_id=person.pk, label="", by=SYSTEM, at=now())
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


@pytest.fixture
def reported(as_agent, booker):
    as_agent(booker).post("/api/v1/calls", body(refused("a")), content_type="application/json")


@pytest.fixture
def spike(reported):
    tool = Tool.objects.get(name="points.query")
    test = {
        "window": 5,
        "calls": 70,
        "observed": 12,
        "expected": 0.5,
        "ratio": 24.0,
        "probability": 1e-6,
        "age": 99,
    }
    return Spike.objects.create(
        kind=SpikeKind.RATE, tool_id=tool.pk, subject="hard", opened_at=now(), test=test, explanation={}
    )


def test_a_spike_is_listed_acknowledged_and_muted(spike, sre):
    client = by_token(sre)
    (told,) = client.get("/api/v1/spikes").json()["spikes"]
    assert (told["class"], told["tool"], told["advice"], told["observed"]) == (
        "hard",
        "points.query",
        "incident",
        12,
    )
    answer = client.put(f"/api/v1/spikes/{spike.pk}/acknowledgement")
    assert (answer.status_code, answer.json()["acknowledged_by"]) == (200, "sam")
    assert client.put("/api/v1/spikes/999/acknowledgement").status_code == 404
    until = (now() + timedelta(hours=2)).isoformat()
    asked = {"tool": "points.query", "class": "hard", "until": until, "reason": "vendor told"}
    made = client.post("/api/v1/spikes/mutes", asked, format="json")
    assert made.status_code == 201
    assert [one.id for one in mutes(at=now())] == [made.json()["id"]]
    assert client.delete(f"/api/v1/spikes/mutes/{made.json()['id']}").status_code == 204
    assert client.delete(f"/api/v1/spikes/mutes/{made.json()['id']}").status_code == 204
    unknown = client.delete("/api/v1/spikes/mutes/999999")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "NO_SUCH_MUTE")
    assert mutes(at=now()) == ()


def test_a_mute_needs_an_end_that_is_to_come(spike, sre):
    asked = {"tool": "x", "until": (now() - timedelta(hours=2)).isoformat(), "reason": "vendor told"}
    answer = by_token(sre).post("/api/v1/spikes/mutes", asked, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "BAD_MUTE")


def test_a_rule_is_made_listed_and_taken_back(reported, sre):
    client = by_token(sre)
    asked = {"contains": "token expired", "title": "the token", "class": "transient", "code": "TOKEN"}
    made = client.post("/api/v1/causes/rules", asked, format="json")
    assert made.status_code == 201
    (listed,) = client.get("/api/v1/causes/rules").json()["rules"]
    assert (listed["contains"], listed["class"], listed["code"], listed["by"]) == (
        "token expired",
        "transient",
        "TOKEN",
        "sam",
    )
    assert client.delete(f"/api/v1/causes/rules/{made.json()['id']}").status_code == 204
    assert client.delete(f"/api/v1/causes/rules/{made.json()['id']}").status_code == 404
    assert rules() == ()


def test_an_operator_labels_a_call_and_an_sre_says_what_not_found_means(reported, operator, sre):
    asked = {"agent": "trip-booker", "call_id": "a", "class": "internal", "code": "OURS"}
    assert by_token(operator).put("/api/v1/labels", asked, format="json").status_code == 204
    assert Call.objects.get(call_id="a").series.failure_class == "internal"
    gone = by_token(operator).put("/api/v1/labels", {**asked, "call_id": "b"}, format="json")
    assert (gone.status_code, gone.json()["code"]) == (404, "NO_SUCH_CALL")
    path = "/api/v1/tools/points.query/not-found"
    assert by_token(operator).put(path, {"empty": True}, format="json").status_code == 403
    assert by_token(sre).put(path, {"empty": True}, format="json").status_code == 204
    assert Tool.objects.get(name="points.query").not_found_is_empty is True


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("get", "/api/v1/spikes"),
        ("put", "/api/v1/spikes/1/acknowledgement"),
        ("post", "/api/v1/spikes/mutes"),
        ("get", "/api/v1/causes/rules"),
        ("post", "/api/v1/causes/rules"),
        ("put", "/api/v1/labels"),
        ("put", "/api/v1/tools/x/not-found"),
    ],
)
def test_an_agents_key_says_nothing_of_this(as_agent, booker, verb, path):
    assert getattr(as_agent(booker), verb)(path, {}, format="json").status_code == 403
