"""Bytes that may be anything, read into plain values that every database, browser and parser can carry."""

import json
import re
from typing import Any

import orjson

from console.kit.clean import clean

# Valid JSON that PostgreSQL (NUL) or JavaScript and SQLite (integers beyond 2^53) would choke on or change.
_RISKY = re.compile(rb"\\u0000|[0-9]{16}")
CUT = "…"
_TEXT_LIMITS = (20_000, 2_000, 200)


class NotJson(ValueError):
    """The bytes are no JSON, not even sloppily written."""


def read(body: bytes) -> tuple[Any, bool]:
    """Give what the bytes say, and whether every value still has to be cleaned.

    Strict JSON without anything risky is taken as it stands. Large integers, NUL, NaN, lone surrogates and bytes that
    are no UTF-8 are read by a more patient parser and cleaned.
    """
    if _RISKY.search(body) is None:
        try:
            return orjson.loads(body), False
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
    text = orjson.dumps(detail)
    if len(text) <= limit:
        return text, set()
    flags: set[str] = set()
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


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) < 320 else f"{digits[:32]}{CUT}"
