"""A regular expression of a schema in words, where it is simple enough to be said."""

import re

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

LONGEST = 120
MOST_PARTS = 6
SETS = {
    "A-Z": "capital",
    "a-z": "small",
    "A-Za-z": "letter",
    "a-zA-Z": "letter",
    "0-9": "digit",
    "A-Z0-9": "capital_digit",
    "0-9A-Z": "capital_digit",
    "A-Za-z0-9": "letter_digit",
    "a-zA-Z0-9": "letter_digit",
}
PART = re.compile(
    r"(?:\[(?P<set>[^\]\\^]+)\]|(?P<digit>\\d)|\\(?P<escaped>[^A-Za-z0-9])|(?P<plain>[^\\\[\](){}*+?.|^$]))"
    r"(?:\{(?P<least>\d{1,4})(?P<comma>,)?(?P<most>\d{1,4})?\}|(?P<many>[+*?]))?"
)
RANGE = re.compile(r"([A-Za-z0-9])-([A-Za-z0-9])")
Part = re.Match[str]


def in_words(pattern: str) -> str:
    """Say what a pattern asks for: "1 to 7 digits, “.”, 2 digits"; blank where it cannot be said simply."""
    if len(pattern) > LONGEST or not (pattern.startswith("^") and pattern.endswith("$")):
        return ""
    inner, said, at = pattern[1:-1], list[str](), 0
    while at < len(inner):
        part = PART.match(inner, at)
        words = _part(part) if part else ""
        if part is None or not words or len(said) >= MOST_PARTS:
            return ""
        said.append(words)
        at = part.end()
    return _(", ").join(_joined(said))


def _joined(said: list[str]) -> list[str]:
    """Put literal characters that follow each other into one pair of quotes."""
    whole: list[str] = []
    for words in said:
        if whole and words.startswith("“") and whole[-1].startswith("“"):
            whole[-1] = f"{whole[-1][:-1]}{words[1:]}"
        else:
            whole.append(words)
    return whole


def _part(part: Part) -> str:
    least, most = _times(part)
    literal = part["escaped"] or part["plain"]
    if literal:
        return f"“{literal}”" if (least, most) == (1, 1) else ""
    kind = "digit" if part["digit"] else SETS.get(part["set"], "")
    span = None if kind else RANGE.fullmatch(part["set"])
    if span:
        return _span(span[1], span[2]) if (least, most) == (1, 1) else ""
    return _counted(kind, least, most) if kind else ""


def _times(part: Part) -> tuple[int, int | None]:
    if part["many"]:
        return {"+": (1, None), "*": (0, None), "?": (0, 1)}[part["many"]]
    if part["least"] is None:
        return 1, 1
    least = int(part["least"])
    return least, int(part["most"]) if part["most"] else None if part["comma"] else least


def _span(first: str, last: str) -> str:
    return _("one of %(first)s to %(last)s") % {"first": first, "last": last}


def _counted(kind: str, least: int, most: int | None) -> str:
    number = _number(least, most)
    n = most or max(least, 2)
    match kind:
        case "digit":
            text = ngettext("%(number)s digit", "%(number)s digits", n)
        case "capital":
            text = ngettext("%(number)s capital letter", "%(number)s capital letters", n)
        case "small":
            text = ngettext("%(number)s small letter", "%(number)s small letters", n)
        case "letter":
            text = ngettext("%(number)s letter", "%(number)s letters", n)
        case "capital_digit":
            text = ngettext("%(number)s capital letter or digit", "%(number)s capital letters or digits", n)
        case _:
            text = ngettext("%(number)s letter or digit", "%(number)s letters or digits", n)
    return text % {"number": number}


def _number(least: int, most: int | None) -> str:
    if most is None and least < 2:
        return _("one or more") if least else _("any number of")
    if most is None:
        return _("at least %(n)s") % {"n": least}
    if most == least:
        return str(most)
    return _("%(least)s to %(most)s") % {"least": least, "most": most}
