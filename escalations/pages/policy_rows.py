"""Rows of a form: as many as there are, numbered without gaps, and some empty ones to fill in."""

import re
from collections.abc import Iterator, Mapping

SPARE = 3
MOST = 60  # more than any rule may have: what is too much is said, and not dropped
NUMBERED = re.compile(r"^(path|is|value|do|what)(\d{1,3})$")
CONDITION, LINE = ("path", "is", "value"), ("do", "what")
SAYING = ("path", "value", "do", "what")  # a comparison alone says nothing: it always has one


def closed_up(typed: Mapping[str, str]) -> dict[str, str]:
    """Give the fields with the rows moved together: what a row says stays in one row, empty rows are none."""
    kept = {name: text for name, text in typed.items() if not NUMBERED.match(name)}
    for names in (CONDITION, LINE):
        for n, row in enumerate(_said(typed, names)):
            kept |= {f"{name}{n}": row[name] for name in names}
    return kept


def count(typed: Mapping[str, str], names: tuple[str, ...]) -> int:
    """Count the rows that say something."""
    return sum(1 for _ in _said(typed, names))


def shown(typed: Mapping[str, str], names: tuple[str, ...]) -> range:
    """Give the numbers of the rows to show: those that say something, and spare ones, more where they were asked for."""
    said, asked = count(typed, names), typed.get(f"rows_{names[0]}", "")
    more = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else 0
    return range(min(MOST, max(said + 1, SPARE, more)))


def _said(typed: Mapping[str, str], names: tuple[str, ...]) -> Iterator[Mapping[str, str]]:
    numbers = sorted(
        {int(found[2]) for name in typed if (found := NUMBERED.match(name)) and found[1] in names}
    )
    for n in numbers:
        row = {name: typed.get(f"{name}{n}", "") for name in names}
        if any(row[name].strip() for name in names if name in SAYING):
            yield row
