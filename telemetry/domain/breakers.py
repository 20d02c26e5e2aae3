"""Which of an instance's words about a breaker is the newest, what of its history is missing, and one word for all."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from telemetry.vocabulary import BreakerState, CommandVerb, FleetState

Missing = tuple[tuple[int, int], ...]  # ranges of sequence numbers, both ends included
MOST_RANGES = 40
PAST_BOOTS = 8
LONGEST_COMMAND = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one breaker in one instance. `boot_id` is one life of the process, `seq` counts in it."""

    boot_id: str
    seq: int
    state: BreakerState
    since: datetime
    missing: Missing


@dataclass(frozen=True, slots=True)
class Said:
    """What an instance says now: an event (`from_state` given), or a place in a heartbeat."""

    boot_id: str
    seq: int
    state: BreakerState
    at: datetime
    from_state: BreakerState | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """Whether it is the newest word, what is missing after it, and what was odd."""

    current: bool
    missing: Missing
    flags: tuple[str, ...] = ()


def place(said: Said, known: Known | None, past_boots: Sequence[str]) -> Placed:
    """Put a word in its place: by life of the process, then by number, never by arrival.

    An unknown life is a new one unless what it tells happened before what is known; a life that ended stays ended.
    """
    event = said.from_state is not None
    if known is None or (said.boot_id != known.boot_id and _is_new_life(said, known, past_boots)):
        return _first(said, event=event)
    if said.boot_id != known.boot_id:
        return Placed(current=False, missing=known.missing, flags=("late",))
    if said.seq > known.seq:
        return _next(said, known, event=event)
    if not event:
        return Placed(current=said.seq == known.seq, missing=known.missing)
    left = _without(known.missing, said.seq)
    if left == known.missing:
        return Placed(current=False, missing=left, flags=("late",))
    # It was missed and comes after all; where a heartbeat has told its state already, it says why.
    return Placed(current=said.seq == known.seq and said.state is known.state, missing=left)


def _is_new_life(said: Said, known: Known, past_boots: Sequence[str]) -> bool:
    return said.boot_id not in past_boots and (said.from_state is None or said.at >= known.since)


def _first(said: Said, *, event: bool) -> Placed:
    last_unseen = said.seq - 1 if event else said.seq
    missing: Missing = ((1, last_unseen),) if last_unseen >= 1 else ()
    return Placed(current=True, missing=missing, flags=("gap",) if missing else ())


def _next(said: Said, known: Known, *, event: bool) -> Placed:
    last_unseen = said.seq - 1 if event else said.seq
    flags = []
    missing = known.missing
    if last_unseen > known.seq:
        missing = (*missing, (known.seq + 1, last_unseen))[-MOST_RANGES:]
        flags.append("gap")
    elif event and said.from_state is not known.state:
        flags.append("mismatch")
    return Placed(current=True, missing=missing, flags=tuple(flags))


def _without(missing: Missing, seq: int) -> Missing:
    """Take a number that came after all out of the ranges that are missing."""
    left: list[tuple[int, int]] = []
    for first, last in missing:
        if not first <= seq <= last:
            left.append((first, last))
            continue
        left += [part for part in ((first, seq - 1), (seq + 1, last)) if part[0] <= part[1]]
    return tuple(left[-MOST_RANGES:])


def lives(boot_id: str, current: str, past: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Give the current life and the past ones after a new life has begun."""
    if boot_id == current:
        return current, tuple(past)
    return boot_id, (current, *[one for one in past if one != boot_id])[:PAST_BOOTS]


def fleet_state(counts: Mapping[BreakerState, int], *, quorum: float = 1.0) -> FleetState:
    """Give one word for the live instances of a breaker: theirs where a quorum agrees, `degraded` where some differ.

    Nobody live means not known. A forced or open minority is never rounded to closed.
    """
    live = sum(counts.values())
    if not live:
        return FleetState.NOT_KNOWN
    passing = counts.get(BreakerState.CLOSED, 0) + counts.get(BreakerState.METRICS_ONLY, 0)
    if passing == live:
        return FleetState.CLOSED
    for state in (BreakerState.FORCED_OPEN, BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.DISABLED):
        if counts.get(state, 0) >= quorum * live:
            return FleetState(state)
    if passing == 0 and counts.get(BreakerState.HALF_OPEN, 0):
        return FleetState.HALF_OPEN
    return FleetState.DEGRADED


def tally(states: Iterable[BreakerState]) -> dict[BreakerState, int]:
    """Count states, in the order of the vocabulary."""
    counts = Counter(states)
    return {state: counts[state] for state in BreakerState if counts[state]}


def ends(verb: CommandVerb, other: CommandVerb) -> bool:
    """Say whether a new command of this kind ends an earlier one: a reset ends nothing that is locked."""
    return verb is not CommandVerb.RESET or other is CommandVerb.RESET
