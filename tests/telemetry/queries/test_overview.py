"""The first page's numbers follow from the calls, and cost the same whatever is stored."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.queries import overview, tool_page, tools
from telemetry.vocabulary import FailureClass, RecoveredBy, Window
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def report(*some, agent=1, at=NOON):
    store([submission(body(*some), agent_id=agent, key_id=1, at=at, knowledge=Knowledge())])


def an_hour_of_everything(agent=1, before=""):
    at = NOON - timedelta(hours=1, minutes=30) if before else NOON - timedelta(minutes=5)
    retry = {"by": "retry", "latency_ms": 900}
    human = {"by": "human", "latency_ms": 60_000}
    failed = {"class": "transient", "code": "TIMEOUT"}
    attempt = {"started_at": at.isoformat(), "duration_ms": 5, "class": "transient", "code": "TIMEOUT"}
    made = {
        "ok": {},
        "ok2": {"duration_ms": 200},
        "retried": {
            "outcome": "recovered",
            "failure": failed,
            "recovery": retry,
            "attempts": [{"n": 1, **attempt}] * 2,
        },
        "asked": {"outcome": "recovered", "failure": {"class": "hard"}, "recovery": human},
        "lost": {"outcome": "failed", "failure": {"class": "hard", "code": "NOT_FOUND"}, "tool": "pay"},
        "handed": {"outcome": "escalated", "failure": {"class": "unknown_outcome"}, "tool": "pay"},
        "waits": {"outcome": "deferred"},
        "left": {"outcome": "skipped"},
    }
    report(
        *[call(f"{before}{name}", started_at=at, **changes) for name, changes in made.items()], agent=agent
    )


def test_totals_are_what_was_reported():
    an_hour_of_everything()
    facts = overview(window=Window.HOUR, at=NOON)
    assert facts.totals.calls == 8
    assert (facts.totals.first_time.part, facts.totals.first_time.whole) == (2, 6)
    assert (facts.totals.in_the_end.part, facts.totals.in_the_end.whole) == (4, 6)
    assert (facts.totals.person.part, facts.totals.failures) == (2, 4)
    assert (facts.totals.recovered.part, facts.totals.recovered.whole) == (2, 4)
    assert facts.before.calls == 0
    assert facts.before.in_the_end.value is None


def test_the_period_before_is_told_apart():
    an_hour_of_everything()
    an_hour_of_everything(before="b-")
    facts = overview(window=Window.HOUR, at=NOON)
    assert (facts.totals.calls, facts.before.calls) == (8, 8)
    assert sum(facts.failures_before) == 4
    assert sum(facts.failures.totals.values()) == 4


def test_who_recovered_it_and_how_long_it_took():
    an_hour_of_everything()
    facts = overview(window=Window.HOUR, at=NOON)
    shares = {row.by: (row.share.part, row.share.whole) for row in facts.recovered_by}
    assert shares[RecoveredBy.RETRY] == (1, 4)
    assert shares[RecoveredBy.HUMAN] == (1, 4)
    assert shares[RecoveredBy.RULE] == (0, 4)
    assert shares[None] == (2, 4)
    assert facts.recovery.mean_ms == pytest.approx(30_450)
    assert facts.recovery.latency.p50_ms == pytest.approx(900, rel=0.011)
    assert facts.recovery.latency.p95_ms == pytest.approx(60_000, rel=0.011)


def test_failures_stand_in_the_minute_they_ended():
    an_hour_of_everything()
    facts = overview(window=Window.HOUR, at=NOON)
    place = next(
        n for n, start in enumerate(facts.span.buckets) if start == NOON.replace(minute=55, second=0, hour=11)
    )
    assert facts.failures.by_class[FailureClass.HARD][place] == 2
    assert facts.failures.attempts_by_class == {
        FailureClass.TRANSIENT: tuple(2 * (n == place) for n in range(len(facts.span.buckets)))
    }
    assert facts.failures.calls[place] == 6
    assert facts.person[place].part == 2


def test_the_tool_that_loses_most_comes_first():
    an_hour_of_everything()
    rows = overview(window=Window.HOUR, at=NOON).tools
    assert [(row.name, row.calls, row.lost, row.mostly) for row in rows] == [
        ("pay", 2, 2, FailureClass.HARD),
        ("flight.search", 6, 0, FailureClass.HARD),
    ]
    assert rows[1].p95_ms == pytest.approx(200, rel=0.011)
    assert sum(rows[0].points) == 2
    assert tools(window=Window.HOUR, at=NOON) == rows


@pytest.mark.parametrize("window", Window)
def test_every_window_counts_every_call_once(window):
    an_hour_of_everything()
    report(call("new", outcome="failed", failure={"class": "empty"}))
    facts = overview(window=window, at=NOON)
    assert facts.totals.calls == 9
    assert sum(facts.failures.calls) == facts.totals.in_the_end.whole == 7
    assert len(facts.failures.calls) == len(facts.span.buckets) == len(facts.person)


def test_one_agent_sees_only_its_own():
    an_hour_of_everything(agent=1)
    report(call("x", tool="other"), agent=2)
    facts = overview(window=Window.HOUR, at=NOON, agent_id=2)
    assert (facts.totals.calls, [row.name for row in facts.tools]) == (1, ["other"])


def test_it_costs_the_same_for_one_call_and_for_many():
    def cost():
        with CaptureQueriesContext(connection) as asked:
            overview(window=Window.DAY, at=NOON)
        return len(asked)

    report(call("a"))
    one = cost()
    for n in range(3):
        report(call(f"b{n}", tool=f"t{n}", outcome="failed", failure={"class": "hard"}), agent=n + 1)
    assert cost() == one <= 8


def test_an_old_import_does_not_move_what_is_live():
    report(*[call(f"old{n}", started_at=NOON - 3 * DAY) for n in range(5)], call("new"))
    assert overview(window=Window.DAY, at=NOON).totals.calls == 1
    assert overview(window=Window.WEEK, at=NOON).totals.calls == 6


def test_a_tool_page_has_percentiles_codes_and_last_failures():
    an_hour_of_everything()
    page = tool_page(name="pay", window=Window.HOUR, at=NOON)
    assert (page.totals.calls, page.totals.in_the_end.part) == (2, 0)
    assert [(row.failure_class, row.code, row.n) for row in page.codes] == [
        (FailureClass.HARD, "NOT_FOUND", 1),
        (FailureClass.UNKNOWN_OUTCOME, "", 1),
    ]
    assert [row.call_id for row in page.recent_failures] == ["handed", "lost"]
    assert page.latency.n == 2
    assert sum(step.n for step in page.latency_series) == 2
    assert tool_page(name="nothing", window=Window.HOUR, at=NOON) is None
