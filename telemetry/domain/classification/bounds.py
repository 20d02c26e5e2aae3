"""Keeps hostile values small: what is wider or deeper than any answer needs to be read is cut before it is read."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

MAX_NODES = 6_000
"""Members of all containers of one value together."""
MAX_DEPTH = 24
NESTED = frozenset({dict, list, tuple})
"""What JSON nests in; looked up by type, since this is asked of every value of every answer."""


def fits(value: Any) -> bool:
    """True for values of a size that every reader can afford, as nearly all are."""
    level = [value] if isinstance(value, dict | list | tuple) else []
    nodes = 0
    for _ in range(MAX_DEPTH):
        if not level:
            return True
        below: list[Any] = []
        for one in level:
            nodes += len(one)
            if nodes > MAX_NODES:
                return False
            inner = one.values() if isinstance(one, dict) else one
            below += [item for item in inner if type(item) in NESTED]
        level = below
    return not level


def bounded(value: Any) -> Any:
    """The value itself where it fits, else a copy of as much of it as does."""
    return value if fits(value) else _Cutter().cut(value, 0)


class _Cutter:
    """Copies a value until the nodes are used up; small containers first, so that a long list hides no error."""

    def __init__(self) -> None:
        self.left = MAX_NODES

    def cut(self, value: Any, depth: int) -> Any:
        """The value's beginning."""
        if isinstance(value, dict):
            return self._object(value, depth)
        if isinstance(value, list | tuple):
            return self._list(value, depth)
        return value

    def _object(self, value: Mapping[Any, Any], depth: int) -> dict[Any, Any]:
        if depth >= MAX_DEPTH or self.left <= 0:
            return {}
        copy = dict(islice(value.items(), min(self.left, 2_000)))
        self.left -= len(copy)
        nested = [name for name, inner in copy.items() if isinstance(inner, dict | list | tuple)]
        for name in sorted(nested, key=lambda name: len(copy[name])):
            copy[name] = self.cut(copy[name], depth + 1)
        return copy

    def _list(self, value: list[Any] | tuple[Any, ...], depth: int) -> list[Any]:
        if depth >= MAX_DEPTH or self.left <= 0:
            return []
        items = list(islice(value, min(self.left, 2_000)))
        self.left -= len(items)
        return [self.cut(item, depth + 1) for item in items]
