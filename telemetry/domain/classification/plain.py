"""Hostile values made plain: clipped text, safe numbers, bounded JSON. Nothing here raises or takes long."""

import ast
import json
import math
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from telemetry.domain.classification.bounds import NESTED, bounded

TEXT_LIMIT = 8_000
PARSE_LIMIT = 400_000
MISSING: Any = object()
_SPACE = re.compile(r"\s+")
_NOT_KEY = re.compile(r"[^0-9a-z一-鿿ぁ-ヿ]+")


def clip(value: object, limit: int = TEXT_LIMIT) -> str:
    """The text of a value: the beginning and, where it is long, the end; lone surrogates are left as they are."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, bytes | bytearray):
        text = bytes(value[:limit]).decode("utf-8", "replace")
    elif isinstance(value, bool) or value is None:
        return ""
    elif isinstance(value, int):
        return str(value) if abs(value) < 1 << 64 else ""
    elif isinstance(value, float):
        return repr(value)
    else:
        return ""
    if len(text) <= limit:
        return text
    tail = limit // 4
    return text[: limit - tail] + "\n" + text[-tail:]


def integer(value: object) -> int | None:
    """A whole number from a number or its decimal text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 1 << 62 else None
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and abs(value) < 1 << 62 and value == int(value) else None
    if isinstance(value, str) and 0 < len(value) <= 19:
        try:
            return int(value)
        except ValueError:
            return None
    return None


def number(value: object) -> float | None:
    """A finite number from a number or its decimal text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        if not 0 < len(value) <= 40:
            return None
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, int | float):
        try:
            result = float(value)
        except OverflowError:
            return None
        return result if math.isfinite(result) else None
    return None


def mapping(value: object) -> Mapping[str, Any] | None:
    """The value as an object, if it is one."""
    return value if isinstance(value, dict) else None


def some(values: Iterable[Any], limit: int = 200) -> list[Any]:
    """The first values only."""
    return list(islice(values, limit))


class _Keys(dict[str, str]):
    """Normalised keys, remembered: a body asks for the same ones a dozen times."""

    def __missing__(self, name: str) -> str:
        if len(name) > 80:
            return ""
        if len(self) > 16_384:
            self.clear()
        plain = self[name] = _NOT_KEY.sub("", name.lower())
        return plain


_KEYS = _Keys()


def key(name: object) -> str:
    """A key without case, underscores and namespaces, so that `error_code` and `ErrorCode` are one."""
    return _KEYS[name] if isinstance(name, str) else ""


def names(text: str) -> frozenset[str]:
    """A set of words from a text of them: how this package writes its vocabularies."""
    return frozenset(text.split())


MOST_MEMBERS = 60


def names_within(value: object, depth: int = 3) -> set[str]:
    """The keys of an object and of what stands in it, normalised."""
    found: set[str] = set()
    level: list[Any] = [value]
    for _ in range(depth + 1):
        below: list[Any] = []
        for one in level:
            if type(one) is dict:
                members = one if len(one) <= MOST_MEMBERS else dict(islice(one.items(), MOST_MEMBERS))
                found.update([_KEYS[name] for name in members if type(name) is str])
                below += [inner for inner in members.values() if type(inner) in NESTED]
            else:
                below += [inner for inner in one[:3] if type(inner) in NESTED]
        if not below:
            break
        level = below
    return found


def json_in(text: str) -> Any:
    """As much of the JSON value that a text is as readers can afford, or MISSING."""
    return bounded(parsed(text))


def parsed(text: str) -> Any:
    """The JSON value that a text is, or MISSING."""
    stripped = text.strip() if len(text) <= PARSE_LIMIT else ""
    if not stripped or stripped[0] not in '{["-0123456789tfnN':
        return MISSING
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        return MISSING


def json_lines(text: str) -> list[dict[str, Any]] | None:
    """The objects of a text that has one on each line; None where a line is something else."""
    lines = [parsed(line) for line in text.split("\n", 2_000)[:2_000] if line.strip()]
    return lines if all(isinstance(line, dict) for line in lines) else None


def json_within(text: str) -> Any:
    """The first JSON object or array inside a text, or MISSING."""
    for opener in ("{", "[{"):
        start = text.find(opener)
        if start < 0 or len(text) - start > 20_000:
            continue
        try:
            value, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if value:
            return bounded(value)
    return MISSING


def printed_within(text: str) -> Any:
    """The Python dict that a message prints, as pymongo does with its bulk errors, or MISSING."""
    start, end = text.find("{'"), text.rfind("}") + 1
    if start < 0 or not 0 < end - start <= 6_000:
        return MISSING
    try:
        return bounded(ast.literal_eval(text[start:end]))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return MISSING


def squeezed(text: str) -> str:
    """Lower case, single spaces, plain quotes: the form that phrase tables match."""
    quotes = text.lower().translate(_QUOTES)
    return _SPACE.sub(" ", quotes).strip()


_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": "'", "´": "'"})


def blank(value: object) -> bool:
    """True for null, empty text and empty containers."""
    if value is None:
        return True
    if isinstance(value, str):
        return not value[:200].strip() and len(value) <= 200
    if isinstance(value, dict | list | tuple):
        return len(value) == 0
    return False
