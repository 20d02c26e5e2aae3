"""The chain of a case: who is told next, and when, while nobody has decided; positions and pauses as values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from escalations.domain.policy import ChainStep
from escalations.vocabulary import ChainDo

ACTS = frozenset({ChainDo.NOTIFY, ChainDo.ON_CALL, ChainDo.WEBHOOK})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chain stands: which step comes next, and how often it has begun again."""

    step: int = 0
    round: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """The next step that does something, and how long after the last one."""

    place: Place
    after: timedelta


def next_due(steps: Sequence[ChainStep], place: Place) -> Due | None:
    """Give what comes at or after a place; waits are added up, a repeat begins again. None at the end.

    Every round passes each step once and there are finitely many rounds, so that this always comes to an end.
    """
    waited = timedelta()
    at, turn = place.step, place.round
    while at < len(steps):
        step = steps[at]
        if step.do in ACTS:
            return Due(place=Place(at, turn), after=waited)
        if step.do is ChainDo.WAIT:
            waited += timedelta(seconds=step.seconds)
        elif turn < step.times:
            at, turn = -1, turn + 1
        at += 1
    return None


def following(steps: Sequence[ChainStep], place: Place) -> Due | None:
    """Give what comes after the step at a place has been done."""
    return next_due(steps, Place(place.step + 1, place.round))


def turn_of(steps: Sequence[ChainStep], place: Place) -> int:
    """Give how often the step's team was asked before: the next time it is the next person in its order."""
    team = steps[place.step].team
    same = [n for n, step in enumerate(steps) if step.do is ChainDo.ON_CALL and step.team == team]
    return place.round * len(same) + sum(n < place.step for n in same)


def next_reminder(before_s: Sequence[int], *, expires_at: datetime, after: datetime) -> datetime | None:
    """Give the first reminder that lies after a moment, None where none is left before the deadline."""
    ahead = (expires_at - timedelta(seconds=seconds) for seconds in before_s)
    return min((when for when in ahead if when > after), default=None)
