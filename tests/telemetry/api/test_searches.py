"""Searching calls over HTTP: people by token, never an agent; refused part by part; streamed as JSON lines."""

import json

import pytest
from django.utils.timezone import now
from rest_framework.test import APIClient

from console.kit.actor import SYSTEM
from console.people.operations import issue_token
from tests.telemetry.calls import body
from tests.telemetry.pages.made import recent, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def reported(as_agent, booker):
    as_agent(booker).post(
        "/api/v1/calls", body(recent("a"), refused("b"), recent("c")), content_type="application/json"
    )


@pytest.fixture
def by_token(sre):
    client = APIClient()
    token = issue_token(person_id=sre.pk, label="", by=SYSTEM, at=now())
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def test_a_person_pages_through_what_a_search_finds(reported, by_token):
    first = by_token.get("/api/v1/calls", {"q": "agent:trip-booker", "limit": "2"}).json()
    rest = by_token.get("/api/v1/calls", {"q": "agent:trip-booker", "after": first["after"]}).json()
    assert [call["call_id"] for call in first["calls"] + rest["calls"]] == ["c", "b", "a"]
    assert rest["after"] is None
    assert (first["calls"][1]["class"], first["calls"][1]["agent"]) == ("hard", "trip-booker")


def test_a_search_that_does_not_read_is_refused_by_its_parts(by_token):
    answer = by_token.get("/api/v1/calls", {"q": "class:hrd tol:x"})
    assert (answer.status_code, answer.json()["code"]) == (422, "BAD_SEARCH")
    assert [(one["code"], one["received"]) for one in answer.json()["errors"]] == [
        ("NO_WORD", "class:hrd"),
        ("NO_FIELD", "tol:x"),
    ]


@pytest.mark.parametrize("path", ["/api/v1/calls", "/api/v1/calls.jsonl"])
def test_a_misspelt_parameter_is_refused_and_does_not_give_everything(by_token, path):
    answer = by_token.get(path, {"tool": "pay"})
    assert (answer.status_code, answer.json()["code"]) == (422, "UNKNOWN_PARAMETER")
    assert answer.json()["errors"][0]["field"] == "tool"


@pytest.mark.parametrize("path", ["/api/v1/calls", "/api/v1/calls.jsonl"])
def test_an_agent_does_not_search(as_agent, booker, path):
    answer = as_agent(booker).get(path)
    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")


def test_a_made_up_cursor_is_refused(by_token):
    assert by_token.get("/api/v1/calls", {"after": "nonsense"}).status_code == 422


def test_the_export_streams_one_call_a_line(reported, by_token):
    answer = by_token.get("/api/v1/calls.jsonl", {"q": "class:hard"})
    assert answer["Content-Type"] == "application/x-ndjson"
    (line,) = answer.getvalue().splitlines()
    told = json.loads(line)
    assert (told["call_id"], told["code"], told["failure"]["hint"]) == ("b", "UNAUTHORIZED", "Renew it.")
