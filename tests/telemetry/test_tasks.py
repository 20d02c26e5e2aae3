"""Sweeps: they do what is due, nothing twice, and old things go with their counters and keys."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils.timezone import now

from console.audit.models import AuditEntry
from console.kit.actor import SYSTEM
from telemetry import tasks
from telemetry.domain.buckets import minute_of
from telemetry.domain.ids import Ids
from telemetry.models import BreakerCommand, BreakerInstance, Call, CallKey, Ledger, Rollup, Sketch
from telemetry.operations import command_breaker, partitions, retention
from telemetry.operations import store as storing
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.vocabulary import CommandVerb
from tests import factories
from tests.telemetry.breakers import heartbeat, place
from tests.telemetry.calls import body, call

pytestmark = pytest.mark.django_db


def reported(*some, at):
    store([submission(body(*some), agent_id=1, key_id=1, at=at, knowledge=Knowledge())])


@pytest.fixture
def breaker(as_agent):
    client = as_agent(factories.agent())
    client.put("/api/v1/breakers/instances/sh-1", heartbeat(place()), format="json")
    return "points-api"


def test_commands_that_ran_out_are_ended_once(breaker):
    at = now()
    told = {"breaker": breaker, "verb": CommandVerb.FORCE_OPEN, "reason": "window", "by": SYSTEM}
    command_breaker(**told, at=at - timedelta(hours=2), expires_at=at - timedelta(hours=1))
    tasks.end_commands()
    tasks.end_commands(unknown="keyword")
    assert BreakerCommand.objects.get().ended_at == at - timedelta(hours=1)
    verbs = (
        AuditEntry.objects.filter(subject="breaker:points-api").order_by("seq").values_list("verb", flat=True)
    )
    assert list(verbs) == ["force_open", "command_expired"]


def test_silent_instances_are_noted_once_and_wake_again(breaker, as_agent):
    tasks.notice_silence()
    assert BreakerInstance.objects.get().stale_since is None
    BreakerInstance.objects.update(heartbeat_at=now() - timedelta(minutes=5))
    tasks.notice_silence()
    first = BreakerInstance.objects.get().stale_since
    tasks.notice_silence()
    assert BreakerInstance.objects.get().stale_since == first is not None


def test_old_calls_go_with_their_keys_and_new_ones_stay(monkeypatch, settings):
    monkeypatch.setattr(retention, "CHUNK", 2)
    monkeypatch.setattr(storing, "ids", Ids())  # the process' own never go back in time
    partitions.forget()
    at = now()
    old = at - timedelta(days=settings.CALLS_KEEP_DAYS + 2)
    reported(*[call(f"old{n}", started_at=old) for n in range(5)], at=old)
    reported(call("new", started_at=at), at=at)
    tasks.forget()
    assert [row.call_id for row in Call.objects.all()] == ["new"]
    assert [row.call_id for row in CallKey.objects.all()] == ["new"]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(%s)", [f"telemetry_call_{old:%Y%m%d}"])
            assert cursor.fetchone() == (None,)


def test_counters_go_by_their_grain():
    at = now()
    month_ago = at - timedelta(days=30)
    reported(call("a", started_at=month_ago), at=month_ago)
    reported(call("b", started_at=at), at=at)
    tasks.forget()
    before = minute_of(at - timedelta(days=1))
    for table in (Rollup, Sketch):
        kept = {row.grain for row in table.objects.all() if row.bucket * row.grain < before}
        assert kept == {60, 1440}
    assert all(row.minute >= before for row in Ledger.objects.all())
