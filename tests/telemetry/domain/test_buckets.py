"""A call is counted in a minute that can be right, and windows are covered exactly once."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.buckets import GRAINS, cover, cut, minute_of, place, start_of
from telemetry.vocabulary import Window

NOON = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)
LAST_YEARS = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_a_call_is_counted_in_the_minute_it_ended():
    placed = place(NOON - timedelta(minutes=3), 65_000, received_at=NOON)
    assert start_of(placed.minute, 1) == datetime(2026, 11, 30, 11, 58, tzinfo=UTC)
    assert placed.flags == ()


def test_a_call_is_never_counted_in_the_future():
    placed = place(NOON, 3_600_000, received_at=NOON)
    assert placed.minute == minute_of(NOON)


@pytest.mark.parametrize(
    ("started", "flag"),
    [
        (LAST_YEARS, "clock_ahead"),
        (NOON + timedelta(minutes=6), "clock_ahead"),
        (datetime(1, 1, 1, tzinfo=UTC), "clock_behind"),
        (datetime(1970, 1, 1, tzinfo=UTC), "clock_behind"),
    ],
)
def test_a_clock_that_cannot_be_right_is_flagged_and_the_arrival_counts(started, flag):
    placed = place(started, 10, received_at=NOON)
    assert placed.flags == (flag,)
    assert placed.minute == minute_of(NOON)


def test_an_import_of_last_months_calls_is_counted_last_month():
    old = NOON - timedelta(days=30)
    assert place(old, 10, received_at=NOON).minute == minute_of(old)


def test_an_end_before_the_start_becomes_no_time_at_all():
    placed = place(NOON, -5_000, received_at=NOON)
    assert placed.duration_us == 0
    assert placed.flags == ("negative_duration",)


def test_a_call_of_three_hundred_years_is_cut_and_flagged():
    placed = place(NOON, 1e13, received_at=NOON)
    assert placed.flags == ("endless_duration",)


@pytest.mark.parametrize("window", Window)
def test_a_window_ends_with_the_step_we_are_in(window):
    shape = cut(window, at=NOON)
    starts = shape.starts()
    assert len(starts) == shape.steps
    assert starts[-1] <= NOON < starts[-1] + timedelta(minutes=shape.step)
    assert shape.step % shape.grain == 0
    assert shape.start % shape.grain == 0
    assert shape.before.end == shape.start


@given(st.integers(0, 30_000), st.integers(0, 30_000))
def test_a_cover_holds_every_minute_once_and_no_other(start, length):
    minutes = [
        minute
        for grain, first, last in cover(start, start + length, GRAINS)
        for minute in range(first * grain, last * grain)
    ]
    assert sorted(minutes) == list(range(start, start + length))


def test_a_week_is_covered_by_few_buckets():
    assert sum(last - first for _, first, last in cover(10, 10 + 7 * 1440)) < 120
