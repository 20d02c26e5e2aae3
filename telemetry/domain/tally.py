"""What a set of calls adds to the counters, and what a corrected one takes away: plain sums of whole numbers."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import orjson

from telemetry.domain.buckets import AGENT_SKETCH_GRAINS, GRAINS, SKETCH_GRAINS
from telemetry.domain.ids import id_of_words
from telemetry.domain.sketch import bin_of, of_bins
from telemetry.vocabulary import NOT_COUNTED

ALL_AGENTS = 0
EVERYTHING = (
    -1
)  # in the agent's place: all tools of all agents by class, so that a window's course is a few rows
FAILED = (
    -2
)  # in the agent's place: the failed operations of a tool, whoever called it and however they failed
_NO_TOOL = 0
_SUMMED = {"o": "s", "a": "t"}  # the kinds that are summed over tools, and what the sums are called
_FAILED = "u"
CALL = "call"
_NOT_TIMED = frozenset(str(outcome) for outcome in NOT_COUNTED)

SeriesWords = tuple[
    str, int, int, str, str, str, str
]  # kind, agent, tool, class, code, outcome, recovered by
RollupRow = tuple[int, int, int, int, int, int, int, int, int]  # agent, grain, bucket, series; n and the rest
SketchKey = tuple[int, int, int, int, str]  # grain, bucket, tool, agent, kind


class Counted(NamedTuple):
    """A call as the counters see it. Durations are whole microseconds. A tuple, because there are many of them."""

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
        words = (self.tool_id, self.failure_class, self.code, self.outcome, self.recovered_by)
        return id_of_words("o", self.agent_id, *words)

    @property
    def first_time(self) -> bool:
        """Say whether it worked at once."""
        return self.outcome == "succeeded" and not self.failure_class and self.attempts <= 1


@dataclass(slots=True)
class Tally:
    """Sums by words and minute, ready to be added to the stored counters. Words: as in `SeriesWords`, of one agent."""

    sums: defaultdict[tuple[int, SeriesWords], list[int]] = field(
        default_factory=lambda: defaultdict(_nothing)
    )
    latencies: defaultdict[tuple[int, int, int, str], defaultdict[int, int]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(int))
    )
    takes_away: bool = False  # then some of its sums may be below zero

    def add(self, call: Counted, sign: int = 1) -> None:
        """Add one call, or take it away with -1."""
        agent, tool, name, code, outcome, by, minute, duration, attempts, recovery, failed, cause = call
        if sign < 0:
            self.takes_away = True
        sums = self.sums[minute, ("o", agent, tool, name, code, outcome, by)]
        sums[0] += sign
        if call.first_time:
            sums[1] += sign
        sums[2] += sign * attempts
        sums[3] += sign * duration
        sums[4] += sign * recovery
        for failure_class, why in failed:
            self.sums[minute, ("a", agent, tool, failure_class, why, "", "")][0] += sign
        if cause:
            self.sums[minute, ("f", agent, tool, name, f"{cause:016x}", "", "")][0] += sign
        if outcome not in _NOT_TIMED:
            self.latencies[minute, tool, agent, CALL][bin_of(duration / 1000)] += sign
        if by:
            self.latencies[minute, tool, agent, by][bin_of(recovery / 1000)] += sign

    def written(self) -> bytes:
        """Give it as JSON, for `read`."""
        sums = [(minute, words, numbers) for (minute, words), numbers in self.sums.items()]
        latencies = [(key, list(bins.items())) for key, bins in self.latencies.items()]
        return orjson.dumps((sums, latencies))

    def read(self, written: bytes) -> None:
        """Add another one as it was written."""
        sums, latencies = orjson.loads(written)
        for minute, words, numbers in sums:
            known = self.sums[minute, tuple(words)]
            for place, more in enumerate(numbers):
                known[place] += more
        for (minute, tool, agent, kind), bins in latencies:
            known_bins = self.latencies[minute, tool, agent, kind]
            for index, n in bins:
                known_bins[index] += n

    def series(self) -> dict[int, SeriesWords]:
        """Give every series that is counted, those of all agents and all tools beside each agent's own, by id."""
        found = {words: None for _, words in self.sums}
        return {id_of_words(*each): each for words in found for each in _counted_under(words)}

    def rollups(self) -> Iterator[RollupRow]:
        """Give what every stored counter changes by, in the order rows are locked in."""
        changes: dict[tuple[int, int, int, int], list[int]] = {}
        for (minute, words), sums in self.sums.items():
            for each in _counted_under(words):
                series = id_of_words(*each)
                for grain in GRAINS:
                    _merge(changes, (each[1], grain, minute // grain, series), sums)
        for key in sorted(changes):
            n, first, attempts, duration, recovery = changes[key]
            if n or first or attempts or duration or recovery:
                yield (*key, n, first, attempts, duration, recovery)

    def sketches(self) -> dict[SketchKey, int]:
        """Give what changes in each stored sketch, in the order rows are locked in."""
        changes: dict[SketchKey, int] = {}
        for (minute, tool, agent, kind), bins in self.latencies.items():
            sketch = of_bins(bins)
            for whose, grains in ((agent, AGENT_SKETCH_GRAINS), (ALL_AGENTS, SKETCH_GRAINS)):
                for grain in grains:
                    key = (grain, minute // grain, tool, whose, kind)
                    changes[key] = changes.get(key, 0) + sketch
        return {key: changes[key] for key in sorted(changes) if changes[key]}


def _nothing() -> list[int]:
    return [0, 0, 0, 0, 0]


@lru_cache(maxsize=4_096)
def _counted_under(words: SeriesWords) -> tuple[SeriesWords, ...]:
    kind, _, tool, name, code, outcome, by = words
    of_all = (words, (kind, ALL_AGENTS, tool, name, code, outcome, by))
    if kind not in _SUMMED:
        return of_all
    summed = (_SUMMED[kind], EVERYTHING, _NO_TOOL, name, "", outcome, by)
    if kind == "o" and name:
        return (*of_all, summed, (_FAILED, FAILED, tool, "", "", "", ""))
    return (*of_all, summed)


def _merge(
    into: dict[tuple[int, int, int, int], list[int]], key: tuple[int, int, int, int], sums: list[int]
) -> None:
    known = into.get(key)
    if known is None:
        into[key] = list(sums)
    else:
        for place, more in enumerate(sums):
            known[place] += more
