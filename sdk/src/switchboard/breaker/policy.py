"""When a breaker opens, and what it answers to somebody who asks to call."""

from dataclasses import dataclass
from datetime import datetime

from switchboard.vocabulary import BreakerState


@dataclass(frozen=True, slots=True)
class BreakerPolicy:
    """When a breaker opens and how it tries again. Times are seconds.

    It opens when the share of failures reaches `failure_rate`, or of calls slower than `slow_s` reaches `slow_rate`,
    with at least `min_calls` in `window_s`. After `open_s` (doubled for each failed trial, up to `longest_open_s`) it
    lets `probes` calls run at once and closes after `successes` good ones. A probe that has not settled after
    `probe_s` has failed. `shadow` records all of this and never refuses a call.
    """

    failure_rate: float = 0.5
    min_calls: int = 5
    window_s: float = 60.0
    slow_s: float | None = None
    slow_rate: float = 0.8
    open_s: float = 30.0
    longest_open_s: float = 300.0
    probes: int = 1
    successes: int = 2
    probe_s: float = 120.0
    shadow: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.failure_rate <= 1 or not 0 < self.slow_rate <= 1:
            raise ValueError("failure_rate and slow_rate are shares above 0, up to 1.")
        if min(self.min_calls, self.probes, self.successes) < 1:
            raise ValueError("min_calls, probes and successes are at least 1.")


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to make one call. Give it back with success, failure or neutral."""

    generation: int
    probe: int | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """No leave: the dependency is not called at all."""

    state: BreakerState
    retry_after_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class Forced:
    """What the console, or a person in this process, has ordered, and until when."""

    state: BreakerState
    reason: str
    actor: str = ""
    until: datetime | None = None
    command_id: str | None = None
