from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from escalations.domain import rota

PEOPLE = ("ana", "ben", "cai")
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC")


def plan(people=PEOPLE, zone="Europe/Berlin", weekday=0, handover=time(9), since=date(2026, 1, 5)):
    return rota.Rota(people=people, zone=zone, weekday=weekday, handover=handover, since=since)


def berlin(*parts):
    return datetime(*parts, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("at", "person"),
    [
        (berlin(2026, 1, 5, 9), "ana"),
        (berlin(2026, 1, 12, 8, 59), "ana"),
        (berlin(2026, 1, 12, 9), "ben"),
        (berlin(2026, 1, 26, 9), "ana"),
        (berlin(2026, 1, 5, 8, 59), "cai"),  # before it began it went round as well
        (berlin(2026, 3, 30, 8, 59), "cai"),  # the night before, summer time began
        (berlin(2026, 3, 30, 9), "ana"),
        (berlin(2026, 10, 26, 8, 59), "cai"),
        (berlin(2026, 10, 26, 9), "ana"),
    ],
)
def test_the_handover_is_at_the_clock_on_the_wall(at, person):
    assert rota.on_call(plan(), at) == person


def test_the_first_handover_is_on_the_weekday_on_or_after_the_day_it_begins():
    friday = plan(weekday=4, since=date(2026, 1, 6))
    assert rota.on_call(friday, berlin(2026, 1, 9, 9)) == "ana"
    assert rota.on_call(friday, berlin(2026, 1, 9, 8)) == "cai"


def test_somebody_stands_in_and_the_later_word_counts():
    at = berlin(2026, 1, 6, 12)
    day = (berlin(2026, 1, 6, 0), berlin(2026, 1, 7, 0))
    ben = rota.StandIn(person="ben", starts_at=day[0], ends_at=day[1])
    dan = rota.StandIn(person="dan", starts_at=day[0], ends_at=day[1])
    assert rota.order(plan(), at, [ben]) == ("ben", "ana", "cai")
    assert rota.order(plan(), at, [ben, dan]) == ("dan", "ana", "ben", "cai")
    assert rota.on_call(plan(), day[1], [ben, dan]) == "ana"


def test_a_team_of_nobody_has_nobody_on_call():
    assert rota.on_call(plan(people=()), berlin(2026, 1, 6)) == ""
    assert rota.shifts(plan(people=()), berlin(2026, 1, 6), 3) == ()


def test_a_handover_in_the_hour_that_spring_skips_still_happens_once():
    night = plan(weekday=6, handover=time(2, 30), since=date(2026, 1, 4))
    found = rota.shifts(night, datetime(2026, 3, 28, tzinfo=UTC), 3)
    assert found[0].ends_at == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert len({shift.starts_at for shift in found}) == 3


plans = st.builds(
    plan,
    people=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6, unique=True).map(tuple),
    zone=st.sampled_from(ZONES),
    weekday=st.integers(0, 6),
    handover=st.times().map(lambda t: t.replace(second=0, microsecond=0)),
    since=st.dates(date(2000, 1, 1), date(2040, 1, 1)),
)
moments = st.datetimes(datetime(2001, 1, 1), datetime(2039, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(plans, moments)
def test_every_moment_lies_in_one_shift_of_whoever_is_on_call(made, at):
    running, following = rota.shifts(made, at, 2)
    assert running.starts_at <= at < running.ends_at == following.starts_at
    assert rota.on_call(made, at) == running.person
    assert set(rota.order(made, at)) == set(made.people)


@given(plans, moments)
def test_a_shift_is_a_week_of_wall_clock_time(made, at):
    """Summer time makes a shift an hour longer or shorter, a country that changes sides of the date line a day."""
    (shift,) = rota.shifts(made, at, 1)
    assert abs(shift.ends_at - shift.starts_at - timedelta(days=7)) <= timedelta(hours=25)
    local = shift.ends_at.astimezone(ZoneInfo(made.zone))
    assert local.weekday() == made.weekday or local.time() != made.handover


@given(plans, moments)
def test_people_follow_each_other_in_order(made, at):
    found = rota.shifts(made, at, len(made.people) + 1)
    first = made.people.index(found[0].person)
    turned = [made.people[(first + n) % len(made.people)] for n in range(len(found))]
    assert [shift.person for shift in found] == turned
