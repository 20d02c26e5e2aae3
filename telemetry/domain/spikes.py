"""When a failure class of a tool rises beyond what its traffic explains.

The rate is tested, not the count: traffic that grows with an unchanged share of failures alarms nobody. Failures in a
window are compared with a negative binomial around calls × usual share, whose spread was learned as well. What is
usual is not learned while something unusual goes on, and silence is neither recovery nor a lesson.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import median
from typing import Any

WINDOWS = (5, 30)  # minutes
HALF_LIFE = 360  # minutes of traffic
SPREAD_HALF_LIFE = 720  # rare extremes are forgotten more slowly than the usual share
RAISE_P, QUIET_P = 1e-4, 0.05
LEAST_FAILURES, LEAST_RATIO = 5, 2.0
TICKS_TO_RAISE, TICKS_TO_CLOSE = 2, 5
LEAST_SPREAD, MOST_SPREAD, FIRST_SPREAD = 1.05, 30.0, 2.0
PRIOR_FAILURES, PRIOR_CALLS = 1.0, 50.0
MOST_RESIDUAL = 300.0
WAIT = 30  # minutes before a minute is learned from
SEASON_CAP = 3.0
DAYS = 7
SERIES_FOR_FREE = 100
_KEEP = float(0.5 ** (1 / HALF_LIFE))
_KEEP_SPREAD = float(0.5 ** (1 / SPREAD_HALF_LIFE))


class Move(StrEnum):
    """What a tick does to a spike."""

    NONE = "none"
    OPEN = "open"
    HOLD = "hold"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A minute that may be learned from once it is known that no spike began in it."""

    minute: int
    calls: int
    failures: int
    residuals: tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is usual for one class of one tool, and where its spike stands. Plain numbers, stored as JSON.

    `failures` and `calls` are sums that fade by half in six hours of traffic. `hours` holds, for each hour of the day,
    (failures, calls) of up to seven earlier days.
    """

    failures: float = 0.0
    calls: float = 0.0
    spread: tuple[float, float] = (FIRST_SPREAD, FIRST_SPREAD)
    hours: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    hour: int = -1  # the hour since 1970 that is being summed
    hour_failures: int = 0
    hour_calls: int = 0
    age: int = 0  # minutes of traffic it has learned from
    hot: int = 0  # ticks in a row that would raise
    quiet: int = 0  # ticks in a row that would close
    lessons: tuple[Lesson, ...] = ()
    cool: int = 0  # minutes until the long window holds nothing of the last spike
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """Calls and failures of the minute that has ended, and of the windows that end with it."""

    minute: int
    calls: int
    failures: int
    windows: tuple[tuple[int, int], tuple[int, int]]  # (calls, failures) of 5 and 30 minutes


@dataclass(frozen=True, slots=True)
class Test:
    """One window's test, which is the explanation of a spike as well."""

    window: int
    calls: int
    observed: int
    expected: float
    probability: float
    spread: float

    @property
    def ratio(self) -> float:
        """Give how many times the expected failures were seen."""
        return self.observed / self.expected if self.expected > 0 else math.inf


@dataclass(frozen=True, slots=True)
class Tick:
    """What one minute has changed."""

    baseline: Baseline
    move: Move
    test: Test  # of the window that says most


def tick(known: Baseline, seen: Seen, *, series: int = 1) -> Tick:
    """Judge the minute that has ended. `series` is how many are watched: many chances to be wrong ask for more proof."""
    usual = share(known, seen.minute)
    tests = [
        _test(window, calls, failures, usual, spread)
        for window, (calls, failures), spread in zip(WINDOWS, seen.windows, known.spread, strict=True)
    ]
    limit = RAISE_P / max(1.0, series / SERIES_FOR_FREE)
    raising = [one for one in tests if _raises(one, limit) and (one.window < WINDOWS[-1] or not known.cool)]
    strongest = min(raising or tests, key=lambda one: (one.probability, -one.ratio))
    state = replace(known, hot=known.hot + 1 if raising else 0)
    if known.is_open:
        state, move = _while_open(state, tests[0])
    elif state.hot >= TICKS_TO_RAISE:
        state, move = replace(state, is_open=True, quiet=0), Move.OPEN
    else:
        move = Move.NONE
    if move is Move.OPEN:
        state = replace(state, lessons=())
    elif seen.calls and not state.is_open:
        state = _learn(state, seen, tests)
    return Tick(state, move, strongest)


def share(known: Baseline, minute: int) -> float:
    """Give the usual share of failures at this time of day."""
    recent = (known.failures + PRIOR_FAILURES) / (known.calls + PRIOR_CALLS)
    days = [failures / calls for failures, calls in known.hours.get(minute // 60 % 24, ()) if calls]
    return max(recent, min(median(days), SEASON_CAP * recent)) if days else recent


def _test(window: int, calls: int, failures: int, usual: float, spread: float) -> Test:
    expected = calls * usual
    # What is not above expectation is no evidence of anything, and its tail is the dear one to sum.
    chance = tail(failures, expected, spread) if failures > expected else 1.0
    return Test(window, calls, failures, expected, chance, spread)


def _raises(one: Test, limit: float) -> bool:
    return (
        one.observed >= LEAST_FAILURES
        and one.observed >= LEAST_RATIO * one.expected
        and one.probability < limit
    )


def _while_open(state: Baseline, short: Test) -> tuple[Baseline, Move]:
    """Close after some quiet minutes with traffic; minutes without any say nothing."""
    if not short.calls:
        return state, Move.HOLD
    quiet = state.quiet + 1 if short.probability > QUIET_P else 0
    if quiet >= TICKS_TO_CLOSE:
        return replace(state, is_open=False, quiet=0, hot=0, cool=WINDOWS[-1]), Move.CLOSE
    return replace(state, quiet=quiet), Move.HOLD


def _learn(state: Baseline, seen: Seen, tests: Sequence[Test]) -> Baseline:
    """Learn what was seen half an hour ago, when it is known that no spike began in it; keep this minute for later."""
    residuals = [_residual(one) for one in tests]
    lesson = Lesson(seen.minute, seen.calls, seen.failures, (residuals[0], residuals[1]))
    waiting = (*state.lessons, lesson)
    state = replace(state, lessons=waiting[-WAIT:], cool=max(0, state.cool - 1))
    return _take(state, waiting[0]) if len(waiting) > WAIT else state


def _residual(one: Test) -> float | None:
    """Say how much more than chance the failures varied, in this one window."""
    if one.expected < 0.05:
        return None
    return min((one.observed - one.expected) ** 2 / one.expected, MOST_RESIDUAL)


def _take(state: Baseline, lesson: Lesson) -> Baseline:
    spread = tuple(
        known
        if residual is None
        else min(max(known * _KEEP_SPREAD + residual * (1 - _KEEP_SPREAD), LEAST_SPREAD), MOST_SPREAD)
        for known, residual in zip(state.spread, lesson.residuals, strict=True)
    )
    state = _remember_hour(state, lesson)
    return replace(
        state,
        failures=state.failures * _KEEP + lesson.failures,
        calls=state.calls * _KEEP + lesson.calls,
        spread=(spread[0], spread[1]),
        age=state.age + 1,
    )


def _remember_hour(state: Baseline, lesson: Lesson) -> Baseline:
    hour = lesson.minute // 60
    if hour == state.hour:
        failures, calls = state.hour_failures + lesson.failures, state.hour_calls + lesson.calls
        return replace(state, hour_failures=failures, hour_calls=calls)
    hours = dict(state.hours)
    if state.hour_calls:
        of_day = state.hour % 24
        hours[of_day] = (*hours.get(of_day, ()), (state.hour_failures, state.hour_calls))[-DAYS:]
    return replace(state, hours=hours, hour=hour, hour_failures=lesson.failures, hour_calls=lesson.calls)


def tail(observed: int, expected: float, spread: float) -> float:
    """Give P(X ≥ observed) of a negative binomial with this mean and variance spread × mean."""
    if observed <= 0:
        return 1.0
    if expected <= 0:
        return 0.0
    spread = max(spread, LEAST_SPREAD)
    r = expected / (spread - 1)
    step = (spread - 1) / spread
    if observed <= expected:
        below = math.fsum(math.exp(_log_term(k, r, spread)) for k in range(observed))
        return max(0.0, 1.0 - below)
    term = math.exp(_log_term(observed, r, spread))
    total, k = term, observed
    while term > total * 1e-12:
        k += 1
        term *= step * (k - 1 + r) / k
        total += term
    return min(1.0, total)


def _log_term(k: int, r: float, spread: float) -> float:
    chances = math.lgamma(k + r) - math.lgamma(r) - math.lgamma(k + 1)
    return chances - r * math.log(spread) + k * math.log((spread - 1) / spread)


def after_hours(hours: Sequence[tuple[int, int, int]]) -> Baseline:
    """Give the baseline of a subject that begins to be watched, from (hour, calls, failures) of its past."""
    known = Baseline()
    if not hours:
        return known
    fade = _KEEP**60
    of_day: dict[int, tuple[tuple[int, int], ...]] = {}
    failures = calls = 0.0
    for hour, seen, failed in hours:
        failures, calls = failures * fade + failed, calls * fade + seen
        of_day[hour % 24] = (*of_day.get(hour % 24, ()), (failed, seen))[-DAYS:]
    return replace(known, failures=failures, calls=calls, hours=of_day, age=60 * len(hours))


def plain(known: Baseline) -> dict[str, object]:
    """Give a baseline as JSON."""
    return {
        "failures": known.failures,
        "calls": known.calls,
        "spread": list(known.spread),
        "hours": {str(hour): [list(day) for day in days] for hour, days in known.hours.items()},
        "hour": [known.hour, known.hour_failures, known.hour_calls],
        "age": known.age,
        "hot": known.hot,
        "quiet": known.quiet,
        "lessons": [[one.minute, one.calls, one.failures, *one.residuals] for one in known.lessons],
        "cool": known.cool,
        "is_open": known.is_open,
    }


def baseline(stored: Mapping[str, Any]) -> Baseline:
    """Read a baseline back."""
    hour, hour_failures, hour_calls = stored["hour"]
    return Baseline(
        failures=stored["failures"],
        calls=stored["calls"],
        spread=(stored["spread"][0], stored["spread"][1]),
        hours={int(of): tuple((day[0], day[1]) for day in days) for of, days in stored["hours"].items()},
        hour=hour,
        hour_failures=hour_failures,
        hour_calls=hour_calls,
        age=stored["age"],
        hot=stored["hot"],
        quiet=stored["quiet"],
        lessons=tuple(Lesson(one[0], one[1], one[2], (one[3], one[4])) for one in stored["lessons"]),
        cool=stored["cool"],
        is_open=stored["is_open"],
    )
