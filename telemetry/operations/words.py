"""Words whose rows are committed, as far as one writer has seen: most commits then need not write them again."""

from collections.abc import Mapping
from typing import TypeVar

Row = TypeVar("Row")


class Words:
    """Ids of tools, series and causes, and of keys whose use was noted.

    Nothing deletes these rows; the writer forgets everything every few seconds all the same.
    """

    def __init__(self) -> None:
        self._there: dict[str, set[int]] = {}
        self._new: list[tuple[str, frozenset[int]]] = []

    def begin(self) -> None:
        """Begin a transaction; what one before it has written and not committed is not there."""
        self._new.clear()

    def missing(self, table: str, rows: Mapping[int, Row]) -> dict[int, Row]:
        """Give the rows that have to be written, if only to make sure."""
        there = self._there.setdefault(table, set())
        found = {key: row for key, row in rows.items() if key not in there}
        self._new.append((table, frozenset(found)))
        return found

    def committed(self) -> None:
        """Remember what the transaction has written."""
        for table, keys in self._new:
            self._there[table].update(keys)
        self._new.clear()
