"""Quiet hours in the person's zone, over midnight and over a change of the clocks; digests; tries."""

import zoneinfo
from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.notices.domain.timing import MOST_TRIES, Pace, Quiet, goes_out_at, next_try, pause
from console.notices.vocabulary import Urgency

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
ZONE_NAMES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe"]
MOMENTS = st.integers(0, 3 * 365 * 24 * 60).map(
    lambda minutes: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
NIGHTS = st.builds(
    Quiet, start=st.times(), end=st.times(), zone=st.sampled_from(ZONE_NAMES).map(zoneinfo.ZoneInfo)
)


def quiet(start, end, zone=BERLIN):
    return Quiet(start=time.fromisoformat(start), end=time.fromisoformat(end), zone=zone)


def at(text, zone=BERLIN):
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        ("2026-11-30T23:30", "2026-12-01T07:00"),
        ("2026-11-30T06:59", "2026-11-30T07:00"),
        ("2026-11-30T22:00", "2026-12-01T07:00"),
        ("2026-11-30T07:00", None),
        ("2026-11-30T21:59", None),
    ],
)
def test_a_night_goes_over_midnight_and_its_end_is_no_part_of_it(now, ends):
    assert quiet("22:00", "07:00").until(at(now)) == (ends and at(ends))


def test_a_night_with_a_change_of_the_clocks_ends_when_the_wall_clock_says_so():
    spring, autumn = at("2026-03-28T22:00"), at("2026-10-24T22:00")
    assert quiet("22:00", "07:00").until(spring) - spring == timedelta(hours=8)
    assert quiet("22:00", "07:00").until(autumn) - autumn == timedelta(hours=10)


def test_an_end_that_is_skipped_or_comes_twice_is_the_later_one():
    assert quiet("22:00", "02:30").until(at("2026-03-29T01:00")) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert quiet("22:00", "02:30").until(at("2026-10-25T01:00")) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_the_same_time_twice_is_never_quiet():
    assert quiet("07:00", "07:00").until(at("2026-10-25T07:00")) is None


@given(MOMENTS, NIGHTS)
def test_quiet_ends_later_than_now_and_within_a_day_and_a_bit(now, night):
    ends = night.until(now)
    assert ends is None or now < ends <= now + timedelta(hours=26)


@given(MOMENTS, NIGHTS)
def test_away_from_a_change_of_the_clocks_quiet_is_what_the_wall_clock_says(now, night):
    there, start, end = night.zone, night.start, night.end
    around = {(now + timedelta(hours=hours)).astimezone(there).utcoffset() for hours in range(-49, 50, 7)}
    if len(around) > 1:
        return
    wall = now.astimezone(there).time()
    inside = start <= wall < end if start <= end else wall >= start or wall < end
    assert (night.until(now) is not None) == inside


@given(MOMENTS, NIGHTS, st.integers(0, 600), st.integers(-700, 0))
def test_what_goes_out_does_so_outside_quiet_hours_and_no_earlier_than_the_digest(now, hours, every, ago):
    pace = Pace(quiet=hours, digest=timedelta(minutes=every), last_at=now + timedelta(minutes=ago))
    due = goes_out_at(pace, Urgency.NORMAL, now)
    assert due >= now
    assert due - pace.last_at >= pace.digest
    assert goes_out_at(pace, Urgency.NORMAL, due) == due or hours.until(due) is not None


def test_what_is_urgent_waits_for_nothing_unless_the_person_says_so():
    now = at("2026-11-30T23:30")
    pace = Pace(quiet=quiet("22:00", "07:00"), digest=timedelta(hours=1), last_at=now)
    assert goes_out_at(pace, Urgency.URGENT, now) == now
    calm = Pace(quiet=quiet("22:00", "07:00"), urgent_at_once=False)
    assert goes_out_at(calm, Urgency.URGENT, now) == at("2026-12-01T07:00")


def test_tries_come_later_and_later_and_have_an_end():
    now = at("2026-11-30T12:00")
    waits = [next_try(tries, at=now) - now for tries in range(1, MOST_TRIES)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (timedelta(seconds=10), timedelta(hours=1))
    assert timedelta(hours=20) < sum(waits, timedelta()) < timedelta(hours=30)
    assert next_try(MOST_TRIES, at=now) is None
    assert pause(10_000) == timedelta(hours=1)
