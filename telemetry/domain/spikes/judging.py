"""One minute judged: whether a spike opens, goes on or closes, and whether the minute is a lesson."""

from dataclasses import replace

from telemetry.domain.spikes.chance import tail
from telemetry.domain.spikes.learning import learn, share, spread_at
from telemetry.domain.spikes.shapes import Baseline, Move, Seen, Test, Tick

WINDOWS = (5, 30)  # minutes
RAISE_P, QUIET_P = 1e-5, 0.05
LEAST_FAILURES, LEAST_RATIO = 5, 2.0
TICKS_TO_RAISE, TICKS_TO_CLOSE = 2, 5
SERIES_FOR_FREE = 100
YOUNG = 60  # minutes of traffic: below, what rises may be how it always is, so it is learned all the same


def tick(known: Baseline, seen: Seen, *, series: int = 1) -> Tick:
    """Judge the minute that has ended. `series` is how many are watched: many chances to be wrong ask for more proof."""
    usual = share(known, seen.minute)
    tests = [
        _test(window, calls, failures, usual, spread_at(known, place, calls * usual))
        for place, (window, (calls, failures)) in enumerate(zip(WINDOWS, seen.windows, strict=True))
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
    elif seen.calls and (not state.is_open or state.age < YOUNG):
        state = learn(state, seen, tests)
    return Tick(state, move, strongest)


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
