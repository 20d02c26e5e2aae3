"""Counters equal a recount from the calls, whatever came in whatever order; and a recount finds what does not."""

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command

from console.kit.actor import SYSTEM
from telemetry.models import Call, Ledger, Rollup, Series, Sketch
from telemetry.operations import relabel_call
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.recount import recount
from telemetry.operations.store import store
from telemetry.vocabulary import FailureClass
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db(transaction=True)
TODAY = NOON.replace(hour=0, minute=0, second=0)
TRY = {"started_at": NOON.isoformat(), "duration_ms": 5, "class": "transient", "code": "TIMEOUT"}
HARD = {"class": "hard", "code": "NOT_FOUND", "message": "no such offer"}
RECOVERED = {
    "outcome": "recovered",
    "attempts": [{"n": 1, **TRY}],
    "recovery": {"by": "retry", "latency_ms": 900},
    "failure": {"class": "transient"},
}


def report(*calls, at=NOON, agent=1):
    store([submission(body(*calls), agent_id=agent, key_id=agent, at=at, knowledge=Knowledge())])


@pytest.fixture
def a_day():
    """Successes, recoveries, failures, duplicates, corrections, refused items, several agents, clocks that jump."""
    report(call("a"), call("b", **RECOVERED), call("c", outcome="failed", failure=HARD), {"call_id": "x"})
    report(call("a"), call("b", rev=1, outcome="failed", failure=HARD), call("c", rev=3, tool="pay"))
    report(call("a"), call("d", outcome="deferred"), at=NOON + timedelta(hours=2), agent=2)
    report(
        call("e", started_at="9999-12-31T23:59:59+00:00"), call("f", started_at="1971-01-01T00:00:00+00:00")
    )
    report(call("g", started_at=NOON - timedelta(days=3)), at=NOON - timedelta(hours=1))
    report(call("h", rev=2), call("h"), call("h", rev=5, **RECOVERED), at=NOON - timedelta(hours=3))
    failed = Call.objects.get(call_id="b")
    relabel_call(call_id=failed.pk, failure_class=FailureClass.TRANSIENT, code="BUSY", by=SYSTEM, at=NOON)


def test_counters_equal_a_recount_after_everything_that_can_happen_to_calls(a_day):
    found = recount(since=TODAY)
    assert found.differences == ()
    assert (found.calls, found.lines) == (8, 4)
    assert found.counters > 0 < found.sketches


def test_further_back_it_finds_what_was_reported_late(a_day):
    found = recount(since=TODAY - timedelta(days=4))
    assert found.differences == ()
    assert found.calls == 9


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("rollup", lambda: Rollup.objects.filter(grain=60, agent_id=0, n__gt=0).update(n=99)),
        ("rollup", lambda: Rollup.objects.filter(grain=1440, agent_id=-1).delete()),
        ("sketch", lambda: Sketch.objects.filter(grain=1).delete()),
        ("ledger", lambda: Ledger.objects.filter(what="stored").delete()),
        ("series", lambda: Series.objects.filter(agent_id=0, kind="o").delete()),
        ("series", lambda: Series.objects.filter(agent_id=0, kind="o").update(failure_class="internal")),
    ],
)
def test_it_says_what_is_not_what_the_calls_say(a_day, table, change):
    change()
    assert {one.table for one in recount(since=TODAY).differences} == {table}


def test_the_command_says_that_all_is_equal_and_fails_where_it_is_not(a_day):
    out = StringIO()
    with time_machine.travel(NOON, tick=False):
        call_command("recount", stdout=out)
        assert out.getvalue().endswith("all equal\n")
        Rollup.objects.filter(grain=15, agent_id=0).update(duration_us=1)
        with pytest.raises(SystemExit):
            call_command("recount", stdout=out)
    assert "rollup (0, 15, " in out.getvalue()
    assert out.getvalue().endswith("differ\n")
