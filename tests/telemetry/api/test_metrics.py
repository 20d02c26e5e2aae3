"""What Prometheus is told, and who may ask."""

import pytest
from django.test import Client, override_settings
from prometheus_client.parser import text_string_to_metric_families

from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from tests.telemetry.breakers import event, heartbeat, place
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db


def scraped(client, **headers):
    answer = client.get("/metrics", **headers)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.fixture
def reported(booker, as_agent):
    attempt = {"n": 1, "started_at": NOON.isoformat(), "duration_ms": 1, "class": "transient"}
    retried = call(
        "b",
        outcome="recovered",
        failure={"class": "transient"},
        attempts=[attempt],
        recovery={"by": "retry", "latency_ms": 5},
    )
    store([submission(body(call("a"), retried), agent_id=booker, key_id=1, at=NOON, knowledge=Knowledge())])
    client = as_agent(booker)
    client.post(
        "/api/v1/breakers/events", {"events": [event(1), event(3, from_state="closed")]}, format="json"
    )
    client.put("/api/v1/breakers/instances/sh-1", heartbeat(place(state="open", seq=3)), format="json")


def test_totals_states_and_transitions_are_told(reported, client, sre):
    client.force_login(sre)
    told = scraped(client)
    assert told["toolcall_operations_total", "", "", "flight.search", "succeeded"] == 1
    assert told["toolcall_operations_total", "flight.search", "recovered", "retry", "transient"] == 1
    assert told["toolcall_failed_attempts_total", "flight.search", "transient"] == 1
    assert told["toolcall_breaker_state", "open", "points-api"] == 1
    assert told["toolcall_breaker_state", "closed", "points-api"] == 0
    assert told["toolcall_breaker_transitions_total", "closed", "failure_rate", "open", "points-api"] == 2
    assert told["toolcall_breaker_instances", "fresh", "points-api"] == 1
    assert ("switchboard_ingest_waiting_rows",) in told


def test_a_scraper_shows_its_token_and_a_stranger_sees_nothing(client, db):
    assert client.get("/metrics").status_code == 401
    with override_settings(METRICS_TOKEN="a long token"):
        assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer wrong").status_code == 401
        assert scraped(client, HTTP_AUTHORIZATION="Bearer a long token")
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer ").status_code == 401


def test_nothing_can_be_sent_there():
    assert Client(enforce_csrf_checks=True).post("/metrics").status_code == 405
