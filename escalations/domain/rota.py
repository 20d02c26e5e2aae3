"""Who is on call: people take a week each, in order, handing over at a wall-clock time of their zone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rota:
    """People in order; the first is on call from the handover on or after `since`. Monday is weekday 0."""

    people: tuple[str, ...]
    zone: str
    weekday: int
    handover: time
    since: date


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """Somebody who takes over for a while; later entries of a list come before earlier ones."""

    person: str
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One week of one person."""

    person: str
    starts_at: datetime
    ends_at: datetime


def on_call(rota: Rota, at: datetime, stand_ins: Sequence[StandIn] = ()) -> str:
    """Give who is on call at a moment, blank where the team has nobody."""
    return next(iter(order(rota, at, stand_ins)), "")


def order(rota: Rota, at: datetime, stand_ins: Sequence[StandIn] = ()) -> tuple[str, ...]:
    """Give everybody of the team, whoever is on call first, then those whose weeks come next."""
    if not rota.people:
        in_turn: tuple[str, ...] = ()
    else:
        first = _week_of(rota, at) % len(rota.people)
        in_turn = rota.people[first:] + rota.people[:first]
    standing = [each.person for each in reversed(stand_ins) if each.starts_at <= at < each.ends_at]
    return tuple(dict.fromkeys((*standing[:1], *in_turn)))


def shifts(rota: Rota, at: datetime, count: int) -> tuple[Shift, ...]:
    """Give the running shift and those after it, without stand-ins."""
    if not rota.people:
        return ()
    return tuple(_shifts(rota, _week_of(rota, at), count))


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    """Give every zone that a rota may be in."""
    return frozenset(available_timezones())


def _shifts(rota: Rota, week: int, count: int) -> Iterator[Shift]:
    for n in range(week, week + count):
        person = rota.people[n % len(rota.people)]
        yield Shift(person=person, starts_at=_handover(rota, n), ends_at=_handover(rota, n + 1))


def _week_of(rota: Rota, at: datetime) -> int:
    """Give which week of the rota a moment lies in, counted in days of the zone: summer time moves no handover."""
    local = at.astimezone(ZoneInfo(rota.zone)).date()
    week = (local - _first(rota)).days // 7
    # The zone's own midnight decides the day, the handover the hour: at most one step either way is left to take.
    while at < _handover(rota, week):
        week -= 1
    while at >= _handover(rota, week + 1):
        week += 1
    return week


def _first(rota: Rota) -> date:
    return rota.since + timedelta(days=(rota.weekday - rota.since.weekday()) % 7)


def _handover(rota: Rota, week: int) -> datetime:
    """Give the instant of a handover. A wall time that a spring night skips comes as long after the jump."""
    day = _first(rota) + week * WEEK
    return datetime.combine(day, rota.handover, tzinfo=ZoneInfo(rota.zone)).astimezone(UTC)
