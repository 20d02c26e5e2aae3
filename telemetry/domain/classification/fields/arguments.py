"""The call's arguments by path: flattening them, reading pointers, finding what was sent."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from telemetry.domain.classification.plain import MISSING, clip, integer, key, names, some

MAX_ARGUMENTS = 120
PREFIXES = names(
    """
    body query path header headers data attributes params parameters args arguments input variables request
    payload form cookie json
    """
)
PARTS_OF_VALUES = names("value key text id email address number name code phone date")
"""Last parts of a path that only say which part of what was sent is meant."""
_PARTS = re.compile(r"[^\w一-鿿ぁ-ヿ$-]+")


def flattened(args: Mapping[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every argument by its dotted path, outer ones first."""
    nested: list[tuple[str, Any]] = []
    for name, value in some(args.items(), 60):
        path = f"{prefix}{clip(name, 80)}"
        yield path, value
        if isinstance(value, dict):
            nested.append((path, value))
        elif isinstance(value, list | tuple):
            parts = [(f"{path}.{index}", one) for index, one in enumerate(some(value, 8))]
            nested += [(at, one) for at, one in parts if isinstance(one, dict)]
    for path, value in nested[:MAX_ARGUMENTS] if depth < 4 else ():
        yield from flattened(value, f"{path}.", depth + 1)


def segments(path: str) -> list[str]:
    """`#/items/0/qty`, `$.items[0].qty` and `body.items.0.qty` as parts, without the envelope's own."""
    parts = [part for part in _PARTS.split(path.replace("~1", "/")) if part and part != "$"]
    while len(parts) > 1 and parts[0].lower() in PREFIXES:
        parts = parts[1:]
    return parts


def last_of(path: str) -> str:
    """The last part that is no index."""
    parts = [part for part in segments(path) if not part.isdigit()]
    return parts[-1] if parts else ""


def value_at(path: str, arguments: Mapping[str, Any]) -> Any:
    """What was sent under a path: the exact one, else any argument whose name is the path's last part."""
    wanted = [key(part) for part in segments(path)]
    if not wanted:
        return MISSING
    best: tuple[int, Any] = (0, MISSING)
    for at, value in arguments.items():
        have = [key(part) for part in segments(at)]
        if have == wanted:
            return value
        common = _common_end(have, wanted)
        if common > best[0]:
            best = (common, value)
    if best[0] == 0 and len(wanted) > 1 and wanted[-1].isdigit():
        whole = value_at(".".join(segments(path)[:-1]), arguments)
        index = integer(wanted[-1])
        inside = isinstance(whole, list | tuple) and index is not None and 0 <= index < len(whole)
        return whole[index] if inside else whole
    if best[0] == 0 and len(wanted) > 1 and wanted[-1] in PARTS_OF_VALUES:
        return value_at(".".join(segments(path)[:-1]), arguments)
    return best[1]


def _common_end(have: list[str], wanted: list[str]) -> int:
    common = 0
    while common < min(len(have), len(wanted)) and have[-1 - common] == wanted[-1 - common]:
        common += 1
    return common


def valued_in(texts: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """The argument whose value a text repeats; a value of one character only where it stands in quotes."""
    joined = "\n".join(text[:800] for text in some(texts, 6))
    for path, value in _single(arguments):
        text = clip(value, 200)
        if len(text) < 2 or (isinstance(value, int) and abs(value) < 10):
            if text and any(quote + text + quote in joined for quote in ("'", '"', "`")):
                return path
        elif re.search(rf"(?<![\w.]){re.escape(text)}(?![\w])", joined):
            return path
    return None


def _single(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every single value, those in lists under the list's path."""
    for path, value in arguments.items():
        for one in some(value, 8) if isinstance(value, list | tuple) else [value]:
            if isinstance(one, str | int | float) and not isinstance(one, bool):
                yield path, one


def blanks(arguments: Mapping[str, Any]) -> list[str]:
    """The arguments that were left blank."""
    return [path for path, value in arguments.items() if value is None or value in ("", [], {})]
