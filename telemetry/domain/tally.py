"""What a set of calls adds to the counters, and what a corrected one takes away: plain sums of whole numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from telemetry.domain.buckets import GRAINS, SKETCH_GRAINS
from telemetry.domain.ids import id_of_words
from telemetry.domain.sketch import one
from telemetry.vocabulary import NOT_COUNTED

K = TypeVar("K")
ALL_AGENTS = 0
CALL = "call"
_NOT_TIMED = frozenset(str(outcome) for outcome in NOT_COUNTED)

SeriesWords = tuple[
    str, int, int, str, str, str, str
]  # kind, agent, tool, class, code, outcome, recovered by
RollupRow = tuple[int, int, int, int, int, int, int, int, int]  # agent, grain, bucket, series; n and the rest
SketchKey = tuple[int, int, int, int, str]  # grain, bucket, tool, agent, kind


@dataclass(frozen=True, slots=True)
class Counted:
    """A call as the counters see it. Durations are whole microseconds."""

    agent_id: int
    tool_id: int
    failure_class: str
    code: str
    outcome: str
    recovered_by: str
    minute: int
    duration_us: int
    attempts: int
    recovery_us: int
    failed_attempts: tuple[tuple[str, str], ...]
    fingerprint: int = 0

    @property
    def series(self) -> int:
        """Give the id of the series of operations it belongs to."""
        return id_of_words(*self.words(self.agent_id))

    @property
    def first_time(self) -> bool:
        """Say whether it worked at once."""
        return self.outcome == "succeeded" and not self.failure_class and self.attempts <= 1

    def words(self, agent_id: int) -> SeriesWords:
        """Give the words it is counted under."""
        return ("o", agent_id, self.tool_id, self.failure_class, self.code, self.outcome, self.recovered_by)


@dataclass(slots=True)
class Tally:
    """Sums by series and minute, ready to be added to the stored counters."""

    series: dict[int, SeriesWords] = field(default_factory=dict)
    sums: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    latencies: dict[SketchKey, int] = field(default_factory=dict)

    def add(self, call: Counted, sign: int = 1) -> None:
        """Add one call, or take it away with -1."""
        parts = (sign, sign * call.first_time, sign * call.attempts)
        sums = (*parts, sign * call.duration_us, sign * call.recovery_us)
        for agent in (call.agent_id, ALL_AGENTS):
            self._count(call.words(agent), call.minute, sums)
            for failure_class, code in call.failed_attempts:
                words = ("a", agent, call.tool_id, failure_class, code, "", "")
                self._count(words, call.minute, (sign, 0, 0, 0, 0))
            if call.fingerprint:
                words = ("f", agent, call.tool_id, call.failure_class, f"{call.fingerprint:016x}", "", "")
                self._count(words, call.minute, (sign, 0, 0, 0, 0))
        if call.outcome not in _NOT_TIMED:
            self._time(call, CALL, call.duration_us, sign)
        if call.recovered_by:
            self._time(call, call.recovered_by, call.recovery_us, sign)

    def rollups(self) -> Iterator[RollupRow]:
        """Give what every stored counter changes by, in the order rows are locked in."""
        changes: dict[tuple[int, int, int, int], list[int]] = {}
        for (minute, series), sums in self.sums.items():
            agent = self.series[series][1]
            for grain in GRAINS:
                _merge(changes, (agent, grain, minute // grain, series), sums)
        for key in sorted(changes):
            n, first, attempts, duration, recovery = changes[key]
            if n or first or attempts or duration or recovery:
                yield (*key, n, first, attempts, duration, recovery)

    def sketches(self) -> dict[SketchKey, int]:
        """Give what changes in each stored sketch, in the order rows are locked in."""
        changes: dict[SketchKey, int] = {}
        for (_, minute, tool, agent, kind), sketch in self.latencies.items():
            for grain in SKETCH_GRAINS:
                key = (grain, minute // grain, tool, agent, kind)
                changes[key] = changes.get(key, 0) + sketch
        return {key: changes[key] for key in sorted(changes) if changes[key]}

    def _count(self, words: SeriesWords, minute: int, sums: Iterable[int]) -> None:
        series = id_of_words(*words)
        self.series[series] = words
        _merge(self.sums, (minute, series), sums)

    def _time(self, call: Counted, kind: str, duration_us: int, sign: int) -> None:
        sketch = sign * one(duration_us / 1000)
        key = (1, call.minute, call.tool_id, call.agent_id, kind)
        self.latencies[key] = self.latencies.get(key, 0) + sketch


def _merge(into: dict[K, list[int]], key: K, sums: Iterable[int]) -> None:
    known = into.get(key)
    if known is None:
        into[key] = list(sums)
    else:
        for place, more in enumerate(sums):
            known[place] += more
