"""What JSON carries unchanged between the agent, two databases and a browser: only that may be approved."""

from collections.abc import Iterator, Mapping

from console.kit.clean import SAFE_INTEGER, clean
from console.kit.refusal import FieldError

LONGEST = 200_000
SAID = {
    "nul": "no NUL characters",
    "surrogate": "whole Unicode characters",
    "truncated": f"texts of at most {LONGEST} characters",
    "too_deep": "fewer levels",
    "too_many_items": "fewer items",
    "big_integer": "integers within ±2^53",
    "not_finite": "finite numbers",
    "not_json": "JSON",
}


def faults(value: object, *, prefix: str) -> tuple[FieldError, ...]:
    """Say why a value cannot be digested and stored as it is."""
    found = clean(value, text_limit=LONGEST)
    if not found.flags and any(_beyond(number) for number in _numbers(value)):
        found.flags.add("big_integer")
    hint = "Send large integers as strings."
    return tuple(
        FieldError("NOT_CARRIED", prefix, SAID[flag], None, hint if flag == "big_integer" else None)
        for flag in sorted(found.flags)
    )


def _beyond(number: float) -> bool:
    # 1e300 is an integer to RFC 8785, to PostgreSQL and to every reader of it, though Python calls it a float.
    return abs(number) > SAFE_INTEGER


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _numbers(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _numbers(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value
