"""Calls before a case are drawn on one axis, and long idle stretches are left out of it."""

from datetime import timedelta
from types import SimpleNamespace as Made

import pytest

from escalations import queries
from escalations.pages.lanes import draw, lanes_of
from tests.escalations import made


def call(name, at_s, took_ms, *, attempts=(), outcome="succeeded", failure_class=None):
    start = made.NOON + timedelta(seconds=at_s)
    row = Made(
        call_id=name, started_at=start, duration_ms=took_ms, outcome=outcome, failure_class=failure_class
    )
    tries = [
        Made(
            started_at=start + timedelta(milliseconds=offset),
            duration_ms=ms,
            wait_ms=wait,
            http_status=status,
            code=None,
            failure_class=cls,
        )
        for offset, ms, wait, status, cls in attempts
    ]
    return Made(row=row, attempts=tries)


def place(text):
    return float(text.rstrip("%"))


def test_attempts_and_waits_keep_their_proportions():
    tries = [(0, 400, 0, 503, "transient"), (1400, 600, 1000, 200, None)]
    lane = draw([call("a", 0, 2000, attempts=tries), call("b", 2, 2000)]).of["a"]
    first, wait, second = lane.drawn
    assert (first.look, wait.kind, second.look) == ("transient", "wait", "ink3")
    assert place(second.width) / place(first.width) == pytest.approx(1.5, rel=0.02)
    assert place(wait.x2) == pytest.approx(place(second.x), abs=0.05)
    assert lane.sentence.replace("\u202f", " ") == "2 attempts within 2 s: 503, 200"


def test_a_call_without_attempts_is_one_bar_in_the_colour_of_its_end():
    lanes = draw([call("a", 0, 500), call("b", 1, 500, outcome="failed", failure_class="unknown_outcome")])
    assert [each.look for each in lanes.of["a"].drawn] == ["ink3"]
    assert [each.kind for each in lanes.of["b"].drawn] == ["unknown"]


def test_a_long_wait_for_a_person_breaks_the_axis():
    near = draw([call("a", 0, 1000), call("b", 2, 1000)])
    far = draw([call("a", 0, 1000), call("b", 372, 1000)])
    assert (near.breaks, len(far.breaks)) == ((), 1)
    assert near.ticks
    assert not far.ticks
    assert far.total.split("\u202f") == ["6", "min", "13", "s"]
    assert place(far.of["a"].drawn[0].width) > 20


@pytest.mark.django_db
def test_a_case_that_telemetry_knows_nothing_of_has_no_lanes():
    case = made.opened()
    assert lanes_of(queries.case_page(ref=case.ref, actor=made.ANA, at=made.NOON)) is None
