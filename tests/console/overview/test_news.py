"""The title says the worst thing first, and never more than the numbers beside it."""

from datetime import UTC, datetime

import pytest

from console.overview.news import Standing, news
from telemetry.queries import FailureSeries, Latency, Overview, Rate, Recovery, Span, ToolRow, Totals
from telemetry.vocabulary import FailureClass, Window

AT = datetime(2026, 11, 30, 14, 6, tzinfo=UTC)
NONE = Recovery(Latency(0, None, None, None), None)
CALM = Standing(breakers=(), open_cases=0, unclaimed=0, due_soon=0, attention=0)


def totals(calls=200, good=199):
    return Totals(
        calls, calls, Rate(good, calls), Rate(good, calls), Rate(0, calls), calls - good, Rate(0, 1)
    )


def tool(lost=0, calls=100, before=100):
    worked = Rate(calls - lost, calls)
    return ToolRow(
        "points.query", calls, worked, worked, Rate(before, 100), FailureClass.HARD, lost, None, ()
    )


def facts(*tools, sums=None):
    return Overview(
        span=Span(Window.HOUR, AT, AT, 60, (AT,)),
        at=AT,
        totals=sums or totals(),
        before=totals(),
        recovery=NONE,
        recovery_before=NONE,
        recovered_by=(),
        failures=FailureSeries({}, (), {}),
        failures_before=(),
        person=(),
        person_before=(),
        tools=tools,
        last_call_at=AT,
    )


def test_where_nothing_is_wrong_all_is_quiet():
    told = news(facts(tool()), CALM)
    assert told.title == "All quiet"
    assert told.more == "99.5\u202f% of 200 calls worked in the end."


def test_a_tool_that_loses_more_than_before_comes_first():
    told = news(facts(tool(lost=12, before=99)), Standing(("psp",), 3, 2, 1, 0))
    assert told.title == "points.query loses 12\u202f% of its calls, 1\u202f% before; mostly hard"
    assert told.more == "Breaker psp is not closed. 1 case is due within 15 minutes."


@pytest.mark.parametrize("quiet", [tool(lost=4, before=100), tool(lost=12, before=88), tool(lost=0)])
def test_few_losses_or_the_usual_ones_are_no_news(quiet):
    assert news(facts(quiet), CALM).title == "All quiet"


def test_breakers_that_are_not_closed_are_named():
    told = news(facts(), Standing(("a", "b", "c", "d"), 0, 0, 0, 0))
    assert told.title == "4 breakers are not closed: a, b, c"


@pytest.mark.parametrize(
    ("standing", "title"),
    [
        (Standing((), 5, 4, 2, 1), "2 cases are due within 15 minutes"),
        (Standing((), 5, 4, 0, 1), "4 cases wait for a person"),
        (Standing((), 0, 0, 0, 1), "1 decided case needs attention"),
    ],
)
def test_cases_are_told_by_what_presses_most(standing, title):
    assert news(facts(), standing).title == title


def test_a_window_without_calls_says_so():
    assert news(facts(sums=totals(0, 0)), CALM).more == "No calls in this window."
