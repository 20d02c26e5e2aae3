"""The chain of a case as its page shows it."""

from dataclasses import dataclass
from datetime import datetime

from escalations.vocabulary import ChainDo


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStepView:
    """One step: what it does, whom it tells (a person, a team, an address), how long it waits."""

    n: int
    do: ChainDo
    who: str
    seconds: int
    state: str  # done | next | ahead, and ended where the chain is over


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainView:
    """All steps, and when the next is due; None once the chain is over or the case decided."""

    steps: tuple[ChainStepView, ...]
    next_at: datetime | None
    round: int
    rounds: int
