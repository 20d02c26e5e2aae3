"""Where an argument is: a dotted path or a JSON pointer (RFC 6901) into a call's arguments."""

from collections.abc import Iterator, Mapping
from typing import Any

from escalations.domain import schema

MISSING = object()
DEEPEST = 6


def at_path(value: Any, path: str) -> Any:
    """Give what stands at a path, MISSING where nothing does or inside a redacted value; null is something."""
    for part in _parts(path):
        if schema.is_ref(value):
            return MISSING
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list | tuple) and _is_index(part) and int(part) < len(value):
            value = value[int(part)]
        else:
            return MISSING
    return value


def leaves(args: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give every single value of the arguments with its JSON pointer; lists are passed over, their length varies."""
    yield from _leaves(args, "", 0)


def _leaves(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and "$ref" not in value and depth < DEEPEST:
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}/{_escaped(name)}", depth + 1)
    elif isinstance(value, str | int | float) and path:
        yield path, value


def _parts(path: str) -> list[str]:
    if not path.startswith("/"):
        return path.split(".")
    return [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _is_index(part: str) -> bool:
    return part.isascii() and part.isdecimal() and len(part) < 7 and (part == "0" or part[0] != "0")
