"""The difference between two JSON values, line by line as a person reads it, and as a list of changed places."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

MISSING = object()
MOST_LINES = 400


@dataclass(frozen=True, slots=True)
class Line:
    """One line: `kind` is same, del or add; `marked` is the part that differs."""

    kind: str
    before: str
    marked: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One place that differs; `path` reads `passengers[0].name`. A missing side is None with its flag set."""

    path: str
    old: object
    new: object
    added: bool = False
    removed: bool = False


def lines(old: object, new: object) -> tuple[Line, ...]:
    """Give both values as one pretty JSON text in which only what differs is marked."""
    shown: list[Line] = []
    for line in _lines(old, new, "", "", 0):
        if len(shown) == MOST_LINES:
            shown.append(Line("same", "…"))
            break
        shown.append(line)
    return tuple(shown)


def changes(old: object, new: object, path: str = "") -> tuple[Change, ...]:
    """Give every place that differs, in the order of the old value, additions last."""
    return tuple(_changes(old, new, path))


def same(old: object, new: object) -> bool:
    """Say whether two JSON values are equal; unlike Python, true is not 1 and 1.0 is 1."""
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(same(value, new[key]) for key, value in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(same, old, new))
    return (type(old) is type(new) and old == new) or _numbers(old, new)


def _numbers(old: object, new: object) -> bool:
    return isinstance(old, int | float) and isinstance(new, int | float) and old == new


def _changes(old: object, new: object, path: str) -> Iterator[Change]:
    if same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _side(
                old.get(key, MISSING), new.get(key, MISSING), f"{path}.{key}" if path else str(key)
            )
    elif isinstance(old, list) and isinstance(new, list):
        for n in range(max(len(old), len(new))):
            yield from _side(
                old[n] if n < len(old) else MISSING, new[n] if n < len(new) else MISSING, f"{path}[{n}]"
            )
    else:
        yield Change(path, old, new)


def _side(old: object, new: object, path: str) -> Iterator[Change]:
    if old is MISSING:
        yield Change(path, None, new, added=True)
    elif new is MISSING:
        yield Change(path, old, None, removed=True)
    else:
        yield from _changes(old, new, path)


def _lines(old: object, new: object, label: str, tail: str, depth: int) -> Iterator[Line]:
    lead = "  " * depth + label
    if old is not MISSING and new is not MISSING and same(old, new):
        yield from _block("same", old, lead, tail, depth)
    elif isinstance(old, dict) and isinstance(new, dict):
        yield Line("same", lead + "{")
        keys = [*old, *(key for key in new if key not in old)]
        for n, key in enumerate(keys):
            comma = "," if n + 1 < len(keys) else ""
            yield from _lines(old.get(key, MISSING), new.get(key, MISSING), _key(key), comma, depth + 1)
        yield Line("same", "  " * depth + "}" + tail)
    elif isinstance(old, list) and isinstance(new, list):
        yield Line("same", lead + "[")
        longest = max(len(old), len(new))
        for n in range(longest):
            a, b = (old[n] if n < len(old) else MISSING), (new[n] if n < len(new) else MISSING)
            yield from _lines(a, b, "", "," if n + 1 < longest else "", depth + 1)
        yield Line("same", "  " * depth + "]" + tail)
    else:
        if old is not MISSING:
            yield from _block("del", old, lead, tail, depth)
        if new is not MISSING:
            yield from _block("add", new, lead, tail, depth)


def _block(kind: str, value: object, lead: str, tail: str, depth: int) -> Iterator[Line]:
    """Write one value; a changed one is marked, a long unchanged one takes the lines it needs."""
    text = json.dumps(value, ensure_ascii=False)
    if kind != "same" and len(text) <= 2_000:
        yield Line(kind, lead, text, tail)
        return
    if len(text) > 72:
        text = json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n" + "  " * depth)
    first, *rest = (lead + text + tail).split("\n")
    yield Line(kind, first)
    yield from (Line(kind, line) for line in rest)


def _key(key: object) -> str:
    return json.dumps(str(key), ensure_ascii=False) + ": "
