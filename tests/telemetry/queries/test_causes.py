"""Causes of a window: most first, new ones marked, their calls behind them."""

from datetime import timedelta

import pytest

from console.kit.actor import SYSTEM
from telemetry.operations import drop_fingerprint_rule, set_fingerprint_rule
from telemetry.operations.intake import submission
from telemetry.operations.known import what_is_known
from telemetry.operations.store import store
from telemetry.queries import CallFilter, calls, cause_of_call, causes, rules, tool_page
from telemetry.vocabulary import Window
from tests.telemetry.calls import NOON, body, call

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def failed(name, message, at=NOON, **changes):
    said = {
        "outcome": "failed",
        "failure": {"class": "hard", "code": "X", "message": message},
        "started_at": at,
    }
    reported = body(call(name, **said, **changes))
    store([submission(reported, agent_id=1, key_id=1, at=at, knowledge=what_is_known())])


def test_the_cause_of_most_failures_comes_first_and_new_ones_are_marked():
    failed("old", "quota of 5 used up", at=NOON - 3 * DAY)
    failed("a", "quota of 7 used up")
    failed("b", "no seat 12A left")
    failed("c", "no seat 9C left")
    first, second = causes(window=Window.DAY, at=NOON, tool="flight.search")
    assert (first.template, first.n, first.new) == ("no seat <id> left", 2, True)
    assert (second.template, second.n, second.new) == ("quota of <n> used up", 1, False)
    assert causes(window=Window.DAY, at=NOON, tool="nothing") == ()
    assert tool_page(name="flight.search", window=Window.DAY, at=NOON).causes == (first, second)


def test_of_a_tool_that_is_new_itself_no_cause_is_called_new():
    failed("a", "no seat 9C left", tool="hotel.offer")
    (only,) = causes(window=Window.DAY, at=NOON, tool="hotel.offer")
    assert not only.new


def test_a_causes_calls_are_found_by_it():
    failed("a", "quota of 7 used up")
    failed("b", "something else")
    (cause,) = [row for row in causes(window=Window.HOUR, at=NOON) if "quota" in row.template]
    assert [row.call_id for row in calls(filters=CallFilter(fingerprint=cause.id)).rows] == ["a"]
    assert calls(filters=CallFilter(fingerprint="no hex")).rows == ()


def test_a_rule_holds_for_the_next_calls_and_can_be_taken_back():
    rule = set_fingerprint_rule(contains="used up", title="the quota", by=SYSTEM, at=NOON)
    failed("a", "quota of 7 used up")
    assert causes(window=Window.HOUR, at=NOON)[0].template == "the quota"
    assert [(row.contains, row.title, row.by) for row in rules()] == [("used up", "the quota", "Switchboard")]
    drop_fingerprint_rule(rule_id=rule, by=SYSTEM, at=NOON)
    failed("b", "quota of 7 used up")
    assert {row.template for row in causes(window=Window.HOUR, at=NOON)} == {
        "the quota",
        "quota of <n> used up",
    }


def test_the_cause_of_one_call_is_found_by_its_agent_and_its_id():
    failed("a", "quota of 7 used up")
    store([submission(body(call("fine")), agent_id=1, key_id=1, at=NOON, knowledge=what_is_known())])
    (cause,) = causes(window=Window.HOUR, at=NOON)
    assert cause_of_call(agent_id="1", call_id="a") == cause.id
    for agent, name in (("2", "a"), ("1", "fine"), ("1", "nothing"), ("1", ""), ("x", "a")):
        assert cause_of_call(agent_id=agent, call_id=name) == ""
