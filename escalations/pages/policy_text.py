"""Texts in the fields of a form and back, without loss: what a field would change is written as a JSON string."""

import json
from collections.abc import Iterable
from typing import Any

LINE_BREAKS = "\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
QUOTE = '"'
NOT_JSON = object()


def shown(text: str, *, lines: bool = False) -> str:
    """Write a text as it stands in a field; one that a browser or our own reading would alter stands in quotes."""
    controls = any((char < " " and not (lines and char == "\n")) or char == "\x7f" for char in text)
    altered = text != text.strip() or not text or text.startswith(QUOTE)
    breaks = not lines and any(char in LINE_BREAKS for char in text)
    return json.dumps(text, ensure_ascii=False) if controls or altered or breaks else text


def meant(text: str) -> str:
    """Read a text back from its field."""
    stripped = text.replace("\r\n", "\n").strip()
    if len(stripped) > 1 and stripped.startswith(QUOTE) and stripped.endswith(QUOTE):
        found = _json(stripped)
        return found if isinstance(found, str) else stripped
    return stripped


def listed(texts: Iterable[str]) -> str:
    """Write texts one a line."""
    return "\n".join(map(shown, texts))


def unlisted(text: str) -> list[str]:
    """Read texts that stand one a line; empty lines are none."""
    return [meant(line) for line in text.replace("\r\n", "\n").split("\n") if line.strip()]


def shown_value(value: Any) -> str:
    """Write any value: a text as it is, unless it would be read as something else."""
    if isinstance(value, str) and _json(value.strip()) is NOT_JSON:
        return shown(value)
    return json.dumps(value, ensure_ascii=False)


def meant_value(text: str) -> Any:
    """Read a value: JSON where it is JSON, else the text it is."""
    found = _json(text.strip())
    return meant(text) if found is NOT_JSON else found


def _json(text: str) -> Any:
    """Give what JSON says, or that it is none."""
    try:
        return json.loads(text, parse_constant=_never)
    except (ValueError, RecursionError):
        return NOT_JSON


def _never(_name: str) -> Any:
    raise ValueError("NaN and Infinity are no JSON")
