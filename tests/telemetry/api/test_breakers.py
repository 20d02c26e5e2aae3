"""Breakers over HTTP: events once and in order, heartbeats, commands, and who may do what."""

from datetime import timedelta

import pytest
from django.utils.timezone import now
from rest_framework.test import APIClient

from console.audit.models import AuditEntry
from telemetry.models import Breaker, BreakerEvent, BreakerPart
from telemetry.queries import board
from telemetry.vocabulary import BreakerState, FleetState
from tests.telemetry.breakers import event, heartbeat, place

pytestmark = pytest.mark.django_db
EVENTS = "/api/v1/breakers/events"


def tell(client, *events):
    return client.post(EVENTS, {"events": list(events)}, format="json")


def alive(client, *places, instance="sh-1", boot="b1"):
    return client.put(f"/api/v1/breakers/instances/{instance}", heartbeat(*places, boot=boot), format="json")


def standing(breaker="points-api", instance="sh-1"):
    return BreakerPart.objects.get(breaker__name=breaker, instance__instance=instance)


def command(client, breaker="points-api", **changes):
    plain = {"command": "force_open", "reason": "settlement window", "expires_at": now() + timedelta(hours=1)}
    return client.post(f"/api/v1/breakers/{breaker}/commands", {**plain, **changes}, format="json")


@pytest.fixture
def agent_client(booker, as_agent):
    return as_agent(booker)


@pytest.fixture
def sre_client(sre):
    client = APIClient()
    client.force_login(sre)
    return client


def test_events_are_stored_once_and_the_newest_stands(agent_client):
    first, second = event(1), event(2, from_state="open", to_state="half_open", reason="wait_elapsed")
    assert tell(agent_client, second, first).json() == {"accepted": 2, "duplicate": 0, "rejected": []}
    assert tell(agent_client, first).json() == {"accepted": 0, "duplicate": 1, "rejected": []}
    row = standing()
    assert (row.state, row.seq, row.reason, row.missing) == ("half_open", 2, "wait_elapsed", [])
    assert BreakerEvent.objects.count() == 2


def test_an_event_that_breaks_the_contract_is_refused_for_itself(agent_client):
    answer = tell(agent_client, event(1), event(2, to_state="ajar"))
    assert answer.status_code == 207
    (rejected,) = answer.json()["rejected"]
    assert (rejected["index"], rejected["code"], rejected["errors"][0]["field"]) == (
        1,
        "MALFORMED",
        "to_state",
    )


def test_a_gap_shows_until_it_is_filled(agent_client):
    tell(agent_client, event(1), event(4, from_state="half_open", to_state="open"))
    assert standing().missing == [[2, 3]]
    alive(agent_client, place(state="open", seq=4))
    (shown,) = board(at=now()).places
    assert shown.incomplete
    tell(agent_client, event(3), event(2))
    assert standing().missing == []
    assert standing().state == "open"


def test_a_heartbeat_says_how_everything_stands_and_forgets_what_is_gone(agent_client):
    alive(agent_client, place(), place("psp", state="open", seq=0))
    assert {part.breaker.name: part.state for part in BreakerPart.objects.all()} == {
        "points-api": "closed",
        "psp": "open",
    }
    answer = alive(agent_client, place("psp", state="closed"))
    assert (answer.status_code, answer.json()["stale_after_s"], answer.json()["ignored"]) == (200, 30, False)
    assert [part.breaker.name for part in BreakerPart.objects.all()] == ["psp"]


def test_a_restarted_process_is_not_taken_for_its_earlier_life(agent_client):
    alive(agent_client, place(state="open", seq=9), boot="b1")
    alive(agent_client, place(state="closed", seq=0), boot="b2")
    assert standing().state == "closed"
    assert alive(agent_client, place(state="open", seq=10), boot="b1").json()["ignored"] is True
    tell(agent_client, event(11, boot_id="b1"))
    assert (standing().state, standing().boot_id) == ("closed", "b2")


def test_silence_is_stale_and_never_closed(agent_client):
    alive(agent_client, place())
    at = now()
    (shown,) = board(at=at).places
    assert (shown.fleet, shown.stale) == (FleetState.CLOSED, 0)
    (shown,) = board(at=at + timedelta(seconds=31)).places
    assert (shown.fleet, shown.live, shown.stale) == (FleetState.NOT_KNOWN, 0, 1)
    assert shown.instances[0].state is BreakerState.CLOSED


def test_some_open_of_many_is_degraded(agent_client):
    alive(agent_client, place(state="open"))
    alive(agent_client, place(), instance="sh-2")
    (shown,) = board(at=now()).places
    assert shown.fleet is FleetState.DEGRADED
    assert shown.counts == {BreakerState.CLOSED: 1, BreakerState.OPEN: 1}


def test_a_command_reaches_every_instance_and_is_acknowledged(agent_client, sre_client, sre):
    alive(agent_client, place())
    answer = command(sre_client)
    assert answer.status_code == 201
    told = agent_client.get("/api/v1/breakers/commands?instance=sh-1").json()
    (order,) = told["commands"]
    assert (order["command"], order["reason"], order["by"]) == (
        "force_open",
        "settlement window",
        sre.username,
    )
    assert (
        agent_client.get(f"/api/v1/breakers/commands?instance=sh-1&after={told['after']}").json()["commands"]
        == []
    )
    ack = {
        "command_id": order["command_id"],
        "instance_id": "sh-1",
        "status": "applied",
        "state": "forced_open",
    }
    answer = agent_client.post("/api/v1/breakers/commands/ack", {**ack, "at": now()}, format="json")
    assert answer.status_code == 204
    (shown,) = board(at=now()).places
    assert (shown.command.applied, shown.command.addressed) == (1, 1)
    entry = AuditEntry.objects.get(subject="breaker:points-api")
    assert (entry.verb, entry.actor_name, entry.detail["reason"]) == (
        "force_open",
        sre.username,
        "settlement window",
    )


def test_a_later_command_ends_the_earlier(agent_client, sre_client):
    alive(agent_client, place())
    command(sre_client)
    command(sre_client, command="release")
    told = agent_client.get("/api/v1/breakers/commands?instance=sh-1").json()
    assert [order["command"] for order in told["commands"]] == ["release"]


def test_a_command_for_some_instances_is_not_told_to_others(agent_client, sre_client):
    alive(agent_client, place())
    alive(agent_client, place(), instance="sh-2")
    assert command(sre_client, instances=["sh-2"]).status_code == 201
    assert agent_client.get("/api/v1/breakers/commands?instance=sh-1").json()["commands"] == []
    assert len(agent_client.get("/api/v1/breakers/commands?instance=sh-2").json()["commands"]) == 1


def test_an_unknown_breaker_is_404_and_is_not_made(sre_client):
    answer = command(sre_client, breaker="pionts-api")
    assert (answer.status_code, answer.json()["code"]) == (404, "NO_SUCH_BREAKER")
    assert Breaker.objects.count() == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"reason": "  "},
        {"expires_at": now() - timedelta(seconds=1)},
        {"instances": ["nobody"]},
        {"command": "kick"},
    ],
    ids=["no reason", "no future", "nobody", "no verb"],
)
def test_a_command_without_reason_end_or_instances_is_refused(agent_client, sre_client, changes):
    alive(agent_client, place())
    answer = command(sre_client, **changes)
    assert answer.status_code == 422
    assert set(answer.json()) == {"code", "detail", "errors"}
    assert not AuditEntry.objects.filter(subject="breaker:points-api").exists()


def test_only_an_sre_or_an_admin_commands(agent_client, operator, client):
    alive(agent_client, place())
    client.force_login(operator)
    people = APIClient()
    people.force_login(operator)
    assert command(people).status_code == 403
    assert command(agent_client).status_code == 403


def test_an_agent_touches_its_own_instances_only(agent_client, rival_agent, as_agent, sre_client):
    alive(agent_client, place())
    rival = as_agent(rival_agent)
    alive(rival, place("other"))
    alive(rival, place("points-api", state="open"))
    ours = BreakerPart.objects.get(instance__agent__name="trip-booker")
    assert ours.state == "closed"
    number = command(sre_client).json()
    stranger = as_agent(rival_agent)
    ack = {"command_id": number["command_id"], "instance_id": "sh-9", "status": "applied", "at": now()}
    answer = stranger.post("/api/v1/breakers/commands/ack", ack, format="json")
    assert (answer.status_code, answer.json()["code"]) == (404, "NO_SUCH_INSTANCE")


@pytest.mark.parametrize(
    "query", ["", "?instance=" + "x" * 200, "?instance=a&after=-1", "?instance=a&after=x"]
)
def test_a_query_that_cannot_be_read_is_refused(agent_client, query):
    answer = agent_client.get(f"/api/v1/breakers/commands{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "BAD_QUERY")


def test_hostile_names_are_neutralised(agent_client):
    answer = alive(agent_client, place("a\x00b<script>"))
    assert answer.status_code == 200
    assert Breaker.objects.get().name == "a\ufffdb<script>"


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_times_at_the_ends_of_the_calendar_are_taken_and_can_be_shown(agent_client, sre_client, sre, time):
    sre.time_zone = "Asia/Shanghai"
    sre.save()
    answer = tell(agent_client, event(1), event(2, occurred_at=time, open_until=time))
    assert (answer.status_code, answer.json()["accepted"]) == (200, 2)
    assert alive(agent_client, place(state="open", seq=9, since=time, open_until=time)).status_code == 200
    sre_client.force_login(sre)
    for page in ("/", "/breakers/", "/breakers/points-api/"):
        assert sre_client.get(page).status_code == 200
