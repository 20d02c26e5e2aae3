"""Bytes that may be anything, read into plain values that every database, browser and parser can carry."""

import json
from typing import Any

import orjson

from console.kit.clean import clean

NUL = b"\\u0000"
# Every digit looks like the next, so that a long number is found as fast as a word.
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG = b"0" * 16
_BEFORE_A_NUMBER = frozenset(b" :,[-\t\n\r")
CUT = "…"
_TEXT_LIMITS = (20_000, 2_000, 200)


class NotJson(ValueError):
    """The bytes are no JSON, not even sloppily written."""


def read(body: bytes, known: Any = None) -> tuple[Any, bool]:
    """Give what the bytes say, and whether every value still has to be cleaned. `known` is what they were written from.

    Strict JSON without anything risky is taken as it stands. Large integers, NUL, NaN, lone surrogates and bytes that
    are no UTF-8 are read by a more patient parser and cleaned.
    """
    if not _risky(body):
        try:
            return orjson.loads(body) if known is None else known, False
        except orjson.JSONDecodeError:
            pass
    try:
        return json.loads(body.decode("utf-8", "replace"), parse_int=_integer), True
    except (ValueError, RecursionError) as exc:
        raise NotJson(str(exc)[:200] or "nested too deeply") from exc


def cleaned(value: Any) -> tuple[Any, set[str]]:
    """Give the value fit to store, and the flags that say what was changed."""
    found = clean(value)
    return found.value, found.flags


def fitted(detail: dict[str, Any], *, limit: int) -> tuple[bytes, set[str]]:
    """Give the JSON of a call's details in at most `limit` bytes: long texts are cut first, then whole parts go."""
    try:
        text, flags = orjson.dumps(detail), set[str]()
    except orjson.JSONEncodeError:  # nested deeper than it is written
        shallow, flags = cleaned(detail)
        text = orjson.dumps(shallow)
    if len(text) <= limit:
        return text, flags
    for text_limit in _TEXT_LIMITS:
        found = clean(detail, text_limit=text_limit)
        flags |= found.flags
        text = orjson.dumps(found.value)
        if len(text) <= limit:
            return text, flags
    flags.add("truncated")
    kept = dict(detail)
    for name in sorted(detail, key=lambda name: len(orjson.dumps(detail[name])), reverse=True):
        kept[name] = CUT
        if len(text := orjson.dumps(kept)) <= limit:
            break
    return text, flags


def _risky(body: bytes) -> bool:
    """Say whether valid JSON holds what PostgreSQL (NUL) or JavaScript (integers beyond 2^53) would not take as it is.

    A long run of digits in a text or behind a decimal point is neither.
    """
    if NUL in body:
        return True
    plain = body.translate(_DIGITS)
    place = plain.find(_LONG)
    while place >= 0:
        if place and body[place - 1] in _BEFORE_A_NUMBER:
            return True
        end = place + len(_LONG)
        while end < len(plain) and plain[end] == _LONG[0]:
            end += 1
        place = plain.find(_LONG, end)
    return False


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) < 320 else f"{digits[:32]}{CUT}"
