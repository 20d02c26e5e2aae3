"""The argument schemas of steps that people may edit; the console makes its forms from them."""

from collections.abc import Sequence
from typing import Any

Schema = dict[str, Any]


def form(**fields: Schema) -> Schema:
    """An object of exactly these fields; those with `fixed` cannot be changed, all are required but the optional."""
    required = [name for name, schema in fields.items() if not schema.pop("optional", False)]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


def fixed(value: Any, why: str) -> Schema:
    """A value that the plan depends on."""
    return {"const": value, "description": why}


def word(choices: Sequence[str], title: str = "") -> Schema:
    """One of a few words."""
    return {"type": "string", "enum": list(choices), **_titled(title)}


def text(title: str = "", *, least: int = 1, most: int = 400, optional: bool = False) -> Schema:
    """A line of text."""
    schema: Schema = {"type": "string", "minLength": least, "maxLength": most, **_titled(title)}
    return schema | ({"optional": True} if optional else {})


def whole(low: int, high: int, title: str = "") -> Schema:
    """An integer in a range."""
    return {"type": "integer", "minimum": low, "maximum": high, **_titled(title)}


def money(title: str = "") -> Schema:
    """An amount such as 1840.00."""
    return {"type": "string", "pattern": r"^[0-9]{1,7}\.[0-9]{2}$", "examples": ["640.00"], **_titled(title)}


def yes_or_no(title: str = "", *, optional: bool = False) -> Schema:
    """True or false."""
    return {"type": "boolean", **_titled(title)} | ({"optional": True} if optional else {})


def _titled(title: str) -> Schema:
    return {"title": title} if title else {}


SEAT_WORDS = ("window", "aisle", "middle", "any")
