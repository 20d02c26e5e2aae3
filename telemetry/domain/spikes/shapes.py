"""What is known, seen, tested and decided about one class of one tool: frozen values."""

import math
from dataclasses import dataclass, field
from enum import StrEnum

FIRST_SPREAD = 2.0


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
    expected: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is usual for one class of one tool, and where its spike stands. Plain numbers, stored as JSON.

    `failures` and `calls` are sums that fade by half in six hours of traffic. `excess` is how much more than chance
    the failures of a window varied and `square` the square of what was expected of it, both fading: their quotient is
    how much the share itself varies. `hours` holds, for each hour of the day, (failures, calls) of up to seven days.
    """

    failures: float = 0.0
    calls: float = 0.0
    spread: tuple[float, float] = (FIRST_SPREAD, FIRST_SPREAD)
    excess: tuple[float, float] = (0.0, 0.0)
    square: tuple[float, float] = (0.0, 0.0)
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
