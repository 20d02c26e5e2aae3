"""The watch judges every minute once; spikes open, explain themselves, close, and people answer them."""

from datetime import timedelta

import pytest

from console.audit.models import AuditEntry
from console.kit.actor import SYSTEM
from telemetry.models import Spike, Watch, WatchClock
from telemetry.operations import (
    BadMute,
    NoSuchSpike,
    acknowledge_spike,
    mark_deploy,
    mute_spikes,
    unmute_spikes,
    watch_one_minute,
)
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.queries import mutes, open_spike_count, spike, spikes
from telemetry.vocabulary import Advice, FailureClass, SpikeKind
from tests import factories
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def minute_of_calls(n, failed, *, agent, of="hard", message="token expired", tool="points.query"):
    """Report one minute, then judge it when it is over."""
    at = NOON + n * MINUTE
    failure = {"class": of, "code": "UNAUTHORIZED", "message": message}
    said = [
        call(
            f"{n}-{k}",
            tool=tool,
            started_at=at,
            duration_ms=1,
            **({"outcome": "failed", "failure": failure} if k < failed else {}),
        )
        for k in range(20)
    ]
    store([submission(body(*said), agent_id=agent, key_id=1, at=at, knowledge=Knowledge())])
    while watch_one_minute(at=at + MINUTE):
        pass


@pytest.fixture
def risen(db):
    agent = factories.agent("trip-booker")
    for n in range(40):
        minute_of_calls(n, 1 if n % 10 == 0 else 0, agent=agent)
    mark_deploy(
        name="trip-booker", version="3.8.1", deployed_at=NOON + 39 * MINUTE, by=SYSTEM, at=NOON + 40 * MINUTE
    )
    for n in range(40, 46):
        minute_of_calls(n, 12, agent=agent)
    return agent


def test_a_rise_opens_one_spike_that_explains_itself(risen):
    at = NOON + 46 * MINUTE
    (row,) = [one for one in spikes(at=at) if one.kind is SpikeKind.RATE]
    assert (row.tool, row.failure_class, row.advice) == ("points.query", FailureClass.HARD, Advice.INCIDENT)
    assert row.is_open
    assert row.observed > 2 * row.expected
    assert row.probability < 1e-4
    assert [(cause.code, cause.template) for cause in row.causes] == [("UNAUTHORIZED", "token expired")]
    assert row.agents[0][0] == "trip-booker"
    assert (row.deploy.name, row.deploy.version) == ("trip-booker", "3.8.1")
    assert open_spike_count() == 1
    assert spike(spike_id=row.id, at=at) == row


def test_it_closes_when_the_rate_is_as_usual_again(risen):
    for n in range(46, 60):
        minute_of_calls(n, 0, agent=risen)
    assert Spike.objects.get(kind=SpikeKind.RATE).closed_at is not None
    assert open_spike_count() == 0
    assert spikes(at=NOON + timedelta(days=3)) == ()


def test_every_minute_is_judged_once(risen):
    assert watch_one_minute(at=NOON + 46 * MINUTE) is False
    states = {row.pk: row.state for row in Watch.objects.all()}
    assert watch_one_minute(at=NOON + 46 * MINUTE) is False
    assert {row.pk: row.state for row in Watch.objects.all()} == states


def test_after_a_long_pause_the_watch_goes_on_with_what_is_recent(risen):
    clock = WatchClock.objects.get().minute
    assert watch_one_minute(at=NOON + timedelta(hours=9)) is True
    assert WatchClock.objects.get().minute > clock + 400


def test_acknowledging_is_audited_and_the_first_stands(risen):
    pk = Spike.objects.get(kind=SpikeKind.RATE).pk
    acknowledge_spike(spike_id=pk, by=SYSTEM, at=NOON)
    acknowledge_spike(spike_id=pk, by=SYSTEM, at=NOON + MINUTE)
    assert Spike.objects.get(pk=pk).acknowledged_at == NOON
    assert AuditEntry.objects.filter(subject=f"spike:{pk}").count() == 1
    with pytest.raises(NoSuchSpike):
        acknowledge_spike(spike_id=pk + 999, by=SYSTEM, at=NOON)


def test_a_mute_has_a_reason_and_an_end(risen):
    at = NOON + 46 * MINUTE
    mute = mute_spikes(
        tool="points.query", until=at + timedelta(hours=1), reason="known, vendor told", by=SYSTEM, at=at
    )
    assert spikes(at=at, tool="points.query")[0].muted
    assert [(one.id, one.tool, one.by) for one in mutes(at=at)] == [(mute, "points.query", "Switchboard")]
    unmute_spikes(mute_id=mute, by=SYSTEM, at=at)
    assert not spikes(at=at)[0].muted
    for until, reason in ((at, "known"), (at + timedelta(days=99), "known"), (at + MINUTE, "")):
        with pytest.raises(BadMute):
            mute_spikes(tool="", until=until, reason=reason, by=SYSTEM, at=at)


def test_a_cause_never_seen_before_is_news_once_the_tool_is_known():
    agent = factories.agent()
    minute_of_calls(0, 1, agent=agent, message="first day")
    assert not Spike.objects.filter(kind=SpikeKind.NEW).exists()
    later = 2 * 1_440
    minute_of_calls(later, 1, agent=agent, message="first day")
    minute_of_calls(later + 1, 1, agent=agent, message="never heard of")
    (row,) = [one for one in spikes(at=NOON + (later + 2) * MINUTE) if one.kind is SpikeKind.NEW]
    assert (row.causes[0].template, row.ratio, row.failure_class) == (
        "never heard of",
        None,
        FailureClass.HARD,
    )
    watch_one_minute(at=NOON + (later + 1_500) * MINUTE)
    assert Spike.objects.get(kind=SpikeKind.NEW).closed_at is not None
