"""Values from outside made safe to store: no NUL, no lone surrogate, no NaN, nothing without end."""

import math
import unicodedata
from dataclasses import dataclass, field

MAX_DEPTH = 24
MAX_ITEMS = 2_000
MAX_TEXT = 20_000
UNSEEN = "\ufffd\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # drawn as nothing, or what stands for nothing
SAFE_INTEGER = 2**53 - 1  # the last integer that a double holds for certain, and that RFC 8785 takes


@dataclass(slots=True)
class Cleaned:
    """A value fit for a JSON column, and the flags that say what was changed on the way."""

    value: object
    flags: set[str] = field(default_factory=set)


def clean_text(text: str, *, limit: int = MAX_TEXT, flags: set[str] | None = None) -> str:
    """Give the text without NUL and lone surrogates, at most `limit` characters long."""
    if len(text) <= limit and text.isascii() and "\x00" not in text:
        return text
    found = flags if flags is not None else set()
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
        found.add("nul")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-8", "replace").decode("utf-8")
        found.add("surrogate")
    if len(text) > limit:
        text = text[: limit - 1] + "…"
        found.add("truncated")
    return text


def visible(text: str) -> str:
    """Give the text without blanks around it, and blank where nobody would see anything of it."""
    seen = any(unicodedata.category(each)[0] not in "CZ" and each not in UNSEEN for each in text)
    return text.strip() if seen else ""


def clean(value: object, *, text_limit: int = MAX_TEXT) -> Cleaned:
    """Walk a JSON-like value and neutralise what databases, browsers and parsers choke on."""
    flags: set[str] = set()
    return Cleaned(_clean(value, text_limit, flags, 0), flags)


def _clean(value: object, limit: int, flags: set[str], depth: int) -> object:
    match value:
        case None | bool():
            return value
        case str():
            return clean_text(value, limit=limit, flags=flags)
        case int():
            return _integer(value, flags)
        case float():
            return _number(value, flags)
        case dict() | list() | tuple() if depth >= MAX_DEPTH:
            flags.add("too_deep")
            return "…"
        case dict():
            return _mapping(value, limit, flags, depth)
        case list() | tuple():
            if len(value) > MAX_ITEMS:
                flags.add("too_many_items")
            return [_clean(item, limit, flags, depth + 1) for item in value[:MAX_ITEMS]]
        case _:
            flags.add("not_json")
            return clean_text(repr(value), limit=limit, flags=flags)


def _integer(value: int, flags: set[str]) -> int | str:
    # Browsers and SQLite's JSON functions read numbers as doubles: beyond 2^53 they would silently change.
    if -SAFE_INTEGER <= value <= SAFE_INTEGER:
        return value
    flags.add("big_integer")
    if value.bit_length() > 512:
        return f"about 2^{value.bit_length()}"
    return str(value)


def _number(value: float, flags: set[str]) -> float | str:
    if math.isfinite(value):
        return value
    flags.add("not_finite")
    return str(value)


def _mapping(value: dict[object, object], limit: int, flags: set[str], depth: int) -> dict[str, object]:
    if len(value) > MAX_ITEMS:
        flags.add("too_many_items")
    kept = list(value.items())[:MAX_ITEMS]
    return {clean_text(str(k), limit=512, flags=flags): _clean(v, limit, flags, depth + 1) for k, v in kept}
