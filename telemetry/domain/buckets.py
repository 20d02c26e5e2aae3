"""Which minute a call is counted in, and how a window of time is cut and covered by buckets."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from telemetry.vocabulary import Window

GRAINS = (1, 15, 60, 1440)  # minutes, of counters
SKETCH_GRAINS = (1, 60, 1440)  # minutes, of latencies over all agents
AGENT_SKETCH_GRAINS = (1, 60)  # minutes, of latencies of one agent
AHEAD = timedelta(minutes=5)  # a clock this far ahead is only a clock
BEHIND = timedelta(days=366)  # what is older is a broken clock, not an import of old traces
LONGEST_MS = 31 * 24 * 3_600_000.0  # no call takes longer than a month; what says so is cut to it
MINUTE = timedelta(minutes=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE_US = 60_000_000
_AHEAD_US, _BEHIND_US = AHEAD // timedelta(microseconds=1), BEHIND // timedelta(microseconds=1)
_LONGEST_US = round(LONGEST_MS * 1000)


class Placed(NamedTuple):
    """Where in time a call is counted, its duration made sane in whole microseconds, and what had to be done for that."""

    minute: int
    duration_us: int
    flags: tuple[str, ...]


def place(started_at: datetime, duration_ms: float, *, received_at: datetime) -> Placed:
    """Count a call in the minute it ended, unless its clock cannot be right: then in the minute it arrived.

    Old calls go to their own old minutes, so that an import does not move what is live. All of it is whole microseconds:
    every call comes by here, and sums of dates are three times as slow.
    """
    took, flags = sane(duration_ms)
    started, received = _microseconds(started_at), _microseconds(received_at)
    late = received - started
    ended = received
    if late < -_AHEAD_US:
        flags += ("clock_ahead",)
    elif late > _BEHIND_US:
        flags += ("clock_behind",)
    elif took < late:
        ended = started + took
    return Placed(ended // _MINUTE_US, took, flags)


def sane(duration_ms: float) -> tuple[int, tuple[str, ...]]:
    """Give a duration in whole microseconds between nothing and a month, and the flag that says what was cut."""
    if 0 <= duration_ms <= LONGEST_MS:
        return round(duration_ms * 1000), ()
    return (0, ("negative_duration",)) if duration_ms < 0 else (_LONGEST_US, ("endless_duration",))


def _microseconds(at: datetime) -> int:
    since = at - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def minute_of(at: datetime) -> int:
    """Give the minute since 1970 that a moment lies in."""
    return int(at.timestamp() // 60)


def start_of(bucket: int, grain: int) -> datetime:
    """Give the moment a bucket begins."""
    return _EPOCH + bucket * grain * MINUTE


@dataclass(frozen=True, slots=True)
class Cut:
    """A window as minutes: `[start, end)`, in steps; `grain` is the counters' that a step is a multiple of."""

    start: int
    end: int
    step: int
    grain: int

    @property
    def steps(self) -> int:
        """Count the steps."""
        return (self.end - self.start) // self.step

    @property
    def before(self) -> "Cut":
        """Give the stretch of the same length just before."""
        length = self.end - self.start
        return Cut(self.start - length, self.start, self.step, self.grain)

    def starts(self) -> tuple[datetime, ...]:
        """Give the moment each step begins."""
        return tuple(start_of(minute, 1) for minute in range(self.start, self.end, self.step))


# window: minutes in all, minutes a step, the grain to read
_SHAPES = {
    Window.QUARTER_HOUR: (15, 1, 1),
    Window.HOUR: (60, 1, 1),
    Window.SIX_HOURS: (360, 15, 15),
    Window.DAY: (1440, 60, 60),
    Window.WEEK: (10_080, 180, 60),
}


def cut(window: Window, *, at: datetime) -> Cut:
    """Cut the window that ends with the step that `at` lies in."""
    length, step, grain = _SHAPES[window]
    end = (minute_of(at) // step + 1) * step
    return Cut(end - length, end, step, grain)


def cover(start: int, end: int, grains: tuple[int, ...] = GRAINS) -> Iterator[tuple[int, int, int]]:
    """Cover the minutes `[start, end)` with the fewest buckets: (grain, first bucket, bucket after the last)."""
    coarse, *finer = sorted(grains, reverse=True)
    first, last = -(-start // coarse), end // coarse
    if first >= last or not finer:
        if finer:
            yield from cover(start, end, tuple(finer))
        elif start < end:
            yield coarse, start // coarse, -(-end // coarse)
        return
    yield coarse, first, last
    if start < first * coarse:
        yield from cover(start, first * coarse, tuple(finer))
    if last * coarse < end:
        yield from cover(last * coarse, end, tuple(finer))
