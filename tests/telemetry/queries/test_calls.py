"""Lists of calls: newest first, narrowed by any words, the same cost for one and for many, an agent's own only."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.queries import CallFilter, call, call_of_agent, calls, trace
from telemetry.vocabulary import ClassSource, FailureClass, Outcome, RecoveredBy
from tests import factories
from tests.telemetry.calls import NOON, body
from tests.telemetry.calls import call as said

pytestmark = pytest.mark.django_db
HARD = {"class": "hard", "code": "NOT_FOUND", "message": "no such <b>flight</b>"}


def report(*some, agent=1):
    store([submission(body(*some), agent_id=agent, key_id=1, at=NOON, knowledge=Knowledge())])


def ids(page):
    return [row.call_id for row in page.rows]


def statements(ask):
    with CaptureQueriesContext(
        connection,
    ) as asked:
        ask()
    return len(asked)


def test_calls_come_newest_first_page_by_page():
    report(*[said(f"c{n}") for n in range(7)])
    first = calls(filters=CallFilter(), limit=3)
    second = calls(filters=CallFilter(), after=first.after, limit=3)
    third = calls(filters=CallFilter(), after=second.after, limit=3)
    assert [ids(first), ids(second), ids(third)] == [["c6", "c5", "c4"], ["c3", "c2", "c1"], ["c0"]]
    assert third.after is None


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (CallFilter(tool="pay"), ["e", "d"]),
        (CallFilter(failure_class=FailureClass.HARD), ["e", "b"]),
        (CallFilter(failure_class=FailureClass.HARD, code="NOT_FOUND"), ["b"]),
        (CallFilter(outcome=Outcome.RECOVERED), ["c"]),
        (CallFilter(recovered_by=RecoveredBy.RULE), ["c"]),
        (CallFilter(failed=True), ["e", "c", "b"]),
        (CallFilter(agent_id=2), ["f"]),
        (CallFilter(tool="nothing of that name"), []),
        (CallFilter(until=NOON), []),
        (CallFilter(since=NOON, tool="pay"), ["e", "d"]),
    ],
)
def test_any_words_narrow_the_list(filters, expected):
    report(
        said("a"),
        said("b", outcome="failed", failure=HARD),
        said(
            "c", outcome="recovered", failure={"class": "transient"}, recovery={"by": "rule", "latency_ms": 5}
        ),
        said("d", tool="pay"),
        said("e", tool="pay", outcome="failed", failure={"class": "hard"}),
    )
    report(said("f"), agent=2)
    assert ids(calls(filters=filters)) == expected


def test_a_filtered_list_pages_across_series():
    for n in range(12):
        report(said(f"c{n}", tool=f"tool{n % 4}", outcome="failed", failure=HARD))
    page = calls(filters=CallFilter(failed=True), limit=5)
    rest = calls(filters=CallFilter(failed=True), after=page.after, limit=50)
    assert ids(page) + ids(rest) == [f"c{n}" for n in reversed(range(12))]


def test_a_list_costs_the_same_for_one_row_and_for_three():
    report(said("a", outcome="failed", failure=HARD))
    one = statements(lambda: calls(filters=CallFilter(failed=True)))
    report(said("b", tool="pay", outcome="failed", failure=HARD), said("c", outcome="failed", failure=HARD))
    assert statements(lambda: calls(filters=CallFilter(failed=True))) == one


def test_one_call_says_everything_that_was_reported():
    agent = factories.agent("trip-booker")
    attempt = {
        "n": 1,
        "started_at": NOON.isoformat(),
        "duration_ms": 4,
        "class": "transient",
        "code": "TIMEOUT",
    }
    report(
        said(
            "a",
            args={"to": "LIS", "password": "hunter2"},
            result=None,
            outcome="failed",
            failure=HARD,
            attempts=[attempt],
            reasoning="because",
            limits={"rounds": {"used": 2, "max": 5}},
        ),
        agent=agent,
    )
    found = call_of_agent(agent_id=agent, call_id="a")
    assert (found.row.agent, found.row.outcome, found.row.message) == (
        "trip-booker",
        Outcome.FAILED,
        "no such <b>flight</b>",
    )
    assert (found.has_args, found.args) == (True, {"to": "LIS", "password": "[redacted]"})
    assert (found.has_result, found.result) == (False, None)
    assert found.failure.source is ClassSource.AGENT
    assert found.failure.code == "NOT_FOUND"
    assert (found.attempts[0].failure_class, found.attempts[0].code) == (FailureClass.TRANSIENT, "TIMEOUT")
    assert found.limits == {"rounds": {"used": 2, "max": 5}}
    assert found.flags == ("redacted",)
    assert call(id=found.row.id, agent_id=agent) == found


def test_a_class_that_was_not_given_comes_from_the_rules_and_says_so():
    report(said("a", outcome=None, evidence={"http_status": 503, "body": {"error": "unavailable"}}))
    found = call_of_agent(agent_id=1, call_id="a")
    assert (found.row.outcome, found.row.failure_class) == (Outcome.FAILED, FailureClass.TRANSIENT)
    assert found.failure.source is ClassSource.RULES
    assert found.failure.rule
    assert found.failure.version


def test_another_agents_call_is_none():
    report(said("a"))
    mine = call_of_agent(agent_id=1, call_id="a")
    assert call(id=mine.row.id, agent_id=2) is None
    assert call_of_agent(agent_id=2, call_id="a") is None


def test_a_trace_is_all_its_calls_in_the_order_they_started():
    report(said("late", started_at=NOON), said("early", duration_ms=5_000), said("other", trace_id="f" * 32))
    found = trace(trace_id=said()["trace_id"])
    assert [one.row.call_id for one in found.calls] == ["early", "late"]
    assert found.started_at == found.calls[0].row.started_at
    assert (found.ended_at - found.started_at).total_seconds() == 5
    assert trace(trace_id="nothing") is None
    assert trace(trace_id=said()["trace_id"], agent_id=2) is None


def test_a_trace_without_end_is_cut_and_says_so():
    report(*[said(f"c{n}") for n in range(6)])
    found = trace(trace_id=said()["trace_id"], limit=4)
    assert (len(found.calls), found.more) == (4, True)
