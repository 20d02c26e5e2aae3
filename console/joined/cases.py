"""The cases beside facts: how many there are, how many wait for somebody, and the newest of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from escalations.queries import QueueRow

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases that a page of facts lists, newest first."""

    rows: tuple[QueueRow, ...]
    n: int
    open: int

    @classmethod
    def of(cls, found: Iterable[QueueRow]) -> Self:
        """Count all of them and keep the first ones."""
        rows = tuple(found)
        return cls(rows[:SHOWN], len(rows), sum(row.is_open for row in rows))
