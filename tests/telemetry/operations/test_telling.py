"""What happens to tools and breakers is told once, in the transaction of it, and not where somebody muted it."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from console.kit.actor import Actor, ActorKind
from console.notices.models import Notice
from console.notices.queries.wanted import still_wanted
from telemetry.models import Spike
from telemetry.operations import acknowledge_spike, command_breaker, mute_spikes
from telemetry.operations.telling import tell_of_spike
from telemetry.vocabulary import CommandVerb, SpikeKind
from tests import factories
from tests.telemetry.breakers import event, heartbeat, place

pytestmark = pytest.mark.django_db
SAM = Actor(ActorKind.PERSON, "7", "sam")


def spike(**more):
    return Spike.objects.create(
        **{"kind": SpikeKind.RATE, "tool_id": 0, "subject": "hard", "opened_at": now()} | more
    )


def topics():
    return list(Notice.objects.order_by("at", "topic").values_list("topic", flat=True))


@pytest.fixture
def client_of_agent(as_agent):
    return as_agent(factories.agent())


def alive(client, instance, state="closed"):
    answer = client.put(
        f"/api/v1/breakers/instances/{instance}", heartbeat(place(state=state, seq=1)), format="json"
    )
    assert answer.status_code in {200, 204}


def test_a_spike_is_told_when_it_opens_and_when_it_closes_each_once():
    row = spike()
    tell_of_spike(row, at=now())
    tell_of_spike(row, at=now())
    row.closed_at = now()
    tell_of_spike(row, at=now())
    assert topics() == ["spike_opened", "spike_closed"]
    assert {notice.link for notice in Notice.objects.all()} == {f"/spikes/{row.pk}/"}


def test_a_cause_never_seen_before_has_a_topic_of_its_own():
    tell_of_spike(spike(kind=SpikeKind.NEW), at=now())
    assert topics() == ["new_failure"]


def test_what_is_muted_is_told_to_nobody():
    at = now()
    mute_spikes(tool="", subject="hard", until=at + timedelta(hours=1), reason="known outage", by=SAM, at=at)
    tell_of_spike(spike(), at=at)
    tell_of_spike(spike(subject="transient"), at=at)
    assert [row.words["name"] for row in Notice.objects.all()] == ["transient"]


def test_that_a_spike_opened_is_no_news_once_it_closed_or_somebody_looks_at_it():
    row = spike()
    asked = {"topic": "spike_opened", "subject_key": f"spike:{row.pk}", "person_id": ""}
    assert still_wanted(**asked)
    acknowledge_spike(spike_id=row.pk, by=SAM, at=now())
    assert not still_wanted(**asked)
    assert still_wanted(**asked | {"topic": "spike_closed"})
    assert still_wanted(**asked | {"subject_key": "spike:x"})


def test_a_breaker_set_by_hand_is_told_to_everybody_but_whoever_set_it(client_of_agent):
    alive(client_of_agent, "sh-1")
    command_breaker(
        breaker="points-api", verb=CommandVerb.FORCE_OPEN, reason="outage", by=SAM, at=now(),
        expires_at=now() + timedelta(hours=1),
    )  # fmt: skip
    row = Notice.objects.get()
    assert (row.topic, row.not_to, row.roles, row.words["state"]) == (
        "breaker_forced",
        "7",
        ["*"],
        "force_open",
    )


def test_a_breaker_is_told_of_when_it_is_open_everywhere_and_once_while_it_flaps(client_of_agent):
    alive(client_of_agent, "sh-1", "open")
    assert topics() == ["fleet_open"]
    alive(client_of_agent, "sh-1", "closed")
    assert len(topics()) == 1


def test_one_open_instance_of_two_is_no_news(client_of_agent):
    alive(client_of_agent, "sh-1")
    alive(client_of_agent, "sh-2", "open")
    assert topics() == []


def test_that_a_breaker_is_open_is_no_news_once_it_is_not(client_of_agent):
    asked = {"topic": "fleet_open", "subject_key": "breaker:points-api", "person_id": ""}
    assert not still_wanted(**asked)
    alive(client_of_agent, "sh-1", "open")
    assert still_wanted(**asked)
    assert still_wanted(**asked | {"topic": "breaker_forced", "subject_key": "breaker:x"})


def test_an_event_tells_of_it_as_well(client_of_agent):
    body = {"events": [event(to_state="open", occurred_at=now().isoformat())]}
    answer = client_of_agent.post("/api/v1/breakers/events", body, format="json")
    assert answer.status_code == 200
    assert topics() == ["fleet_open"]
