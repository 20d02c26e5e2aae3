"""A quick look at what is reported: whether it is small and plain, and whether anything in it may have to be hidden.

Most calls hold nothing secret. Copying every value in Python to find that out costs ten times what this costs.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

_SCALARS = frozenset({str, int, float, bool, type(None), datetime})
_CONTAINERS = frozenset({dict, list, tuple})
_MOST_INSIDE = 200
_MOST_CONTAINERS = 500
_MOST_REMEMBERED = 4_096
_VALUES = (b"earer ", b"sb_", b"sk-")
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"000000000")
_LONG_NUMBER = b"0" * 15
_CARD = re.compile(rb"\b[3-6](?:[ -]?\d){14,15}\b").search


class Scan:
    """Remembers the names it has found innocent, so that each is looked at once."""

    def __init__(self, is_secret: Callable[[str], bool]) -> None:
        self._is_secret = is_secret
        self._innocent: set[str] = set()

    def plain(self, value: Any) -> bool:
        """Whether this is a small tree of plain values under innocent names."""
        innocent = self._innocent
        stack = [value]
        for _ in range(_MOST_CONTAINERS):
            if not stack:
                return True
            value = stack.pop()
            kind = type(value)
            if kind in _SCALARS:
                continue
            if kind not in _CONTAINERS or len(value) > _MOST_INSIDE:
                return False
            if kind is dict:
                if not innocent.issuperset(value) and not self._clear(value):
                    return False
                value = value.values()
            # Only what has an inside goes on: this loop is what a reported call costs most.
            stack += [inner for inner in value if type(inner) not in _SCALARS]
        return False

    def _clear(self, names: dict[Any, Any]) -> bool:
        for name in names:
            if type(name) is not str or self._is_secret(name):
                return False
            if len(self._innocent) < _MOST_REMEMBERED and len(name) < 64:
                self._innocent.add(name)
        return True


def suspicious(text: bytes) -> bool:
    """Whether a credential or a card's number may be written in this JSON; when in doubt, yes."""
    for mark in _VALUES:
        if mark in text:
            return True
    # However the digits are grouped. The first look is quick; ids in hexadecimal pass it now and then.
    return _LONG_NUMBER in text.translate(_DIGITS_ALIKE, b" -") and _CARD(text) is not None
