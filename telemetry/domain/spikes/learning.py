"""What is usual, learned minute by minute: the share of failures, its daily round, and how much it varies."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from telemetry.domain.spikes.chance import LEAST_SPREAD
from telemetry.domain.spikes.shapes import Baseline, Lesson, Seen, Test

HALF_LIFE = 360  # minutes of traffic
SPREAD_HALF_LIFE = 720  # rare extremes are forgotten more slowly than the usual share
MOST_SPREAD = 30.0
FIRST_SWAY, SWAY_KNOWN = (
    0.25,
    1_440,
)  # how much a share varies by itself, and in how many minutes that is known
WIDEST_SPREAD = 300.0
PRIOR_FAILURES, PRIOR_CALLS = 1.0, 50.0
MOST_RESIDUAL = 300.0
WAIT = 30  # minutes before a minute is learned from
SEASON_CAP = 3.0
DAYS = 7
_KEEP = float(0.5 ** (1 / HALF_LIFE))
_KEEP_SPREAD = float(0.5 ** (1 / SPREAD_HALF_LIFE))


def share(known: Baseline, minute: int) -> float:
    """Give the usual share of failures at this time of day."""
    recent = (known.failures + PRIOR_FAILURES) / (known.calls + PRIOR_CALLS)
    days = [failures / calls for failures, calls in known.hours.get(minute // 60 % 24, ()) if calls]
    return max(recent, min(median(days), SEASON_CAP * recent)) if days else recent


def spread_at(known: Baseline, window: int, expected: float) -> float:
    """Give how many times more than chance the failures of a window (0 or 1) vary where so many are expected.

    Beside what the share varies by itself stands the doubt about it: few failures seen say little of what is usual.
    """
    square = known.square[window]
    seen = known.excess[window] / square if square > 0 else 0.0
    doubt = 1 / (known.failures + PRIOR_FAILURES)
    sway = max(seen, FIRST_SWAY * (1 - known.age / SWAY_KNOWN), 0.0) + doubt
    return min(max(known.spread[window], 1 + sway * expected), WIDEST_SPREAD)


def learn(state: Baseline, seen: Seen, tests: Sequence[Test]) -> Baseline:
    """Learn what was seen half an hour ago, when it is known that no spike began in it; keep this minute for later."""
    residuals = [_residual(one) for one in tests]
    expected = (tests[0].expected, tests[1].expected)
    lesson = Lesson(seen.minute, seen.calls, seen.failures, (residuals[0], residuals[1]), expected)
    waiting = (*state.lessons, lesson)
    state = replace(state, lessons=waiting[-WAIT:], cool=max(0, state.cool - 1))
    return _take(state, waiting[0]) if len(waiting) > WAIT else state


def _residual(one: Test) -> float | None:
    """Say how much more than chance the failures varied, in this one window."""
    if one.expected < 0.05:
        return None
    return min((one.observed - one.expected) ** 2 / one.expected, MOST_RESIDUAL)


def _take(state: Baseline, lesson: Lesson) -> Baseline:
    state = _remember_hour(_spread(state, 0, lesson), lesson)
    state = _spread(state, 1, lesson)
    return replace(
        state,
        failures=state.failures * _KEEP + lesson.failures,
        calls=state.calls * _KEEP + lesson.calls,
        age=state.age + 1,
    )


def _spread(state: Baseline, window: int, lesson: Lesson) -> Baseline:
    """Learn from one window how much more than chance failures vary, at any size and by the size."""
    residual, expected = lesson.residuals[window], lesson.expected[window]
    if residual is None:
        return state
    spread = min(max(_fade(state.spread[window], residual), LEAST_SPREAD), MOST_SPREAD)
    excess = _fade(state.excess[window], expected * (residual - 1))
    square = _fade(state.square[window], expected * expected)
    return replace(
        state,
        spread=_put(state.spread, window, spread),
        excess=_put(state.excess, window, excess),
        square=_put(state.square, window, square),
    )


def _fade(known: float, seen: float) -> float:
    return known * _KEEP_SPREAD + seen * (1 - _KEEP_SPREAD)


def _put(pair: tuple[float, float], place: int, value: float) -> tuple[float, float]:
    return (value, pair[1]) if place == 0 else (pair[0], value)


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
