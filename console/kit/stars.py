"""Texts in which `*` stands for anything, also nothing, and nothing else is special."""

import re

MOST_STARS = 4
_STARS = re.compile(r"\*+")
_SPECIAL = re.compile("([!%_])")


def too_many_stars(text: str) -> bool:
    """Say whether a text has more stars than are looked for; those that stand together are one."""
    return len(_STARS.findall(text)) > MOST_STARS


def like_pattern(text: str) -> str:
    """Write a text with stars as LIKE reads it, with `!` before what LIKE would take for its own."""
    return _STARS.sub("%", _SPECIAL.sub(r"!\1", text))
