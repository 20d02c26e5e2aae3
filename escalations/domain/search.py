"""What a person types into the queue's filter, as a value: `tool:points.* queue:"refund desk" is:unclaimed refund`."""

import re
from dataclasses import dataclass, field

NAMES = frozenset({"tool", "class", "code", "agent", "trigger", "severity", "trace", "queue", "cause", "is"})
LONGEST = 2_000
PART = re.compile(r'(?P<name>\w+):"(?P<quoted>[^"]*)"|(?P<plain>\S+)')


@dataclass(frozen=True, slots=True)
class Search:
    """Named filters (a `*` stands for anything) and free words; every one of them must fit."""

    named: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = field(default=())


def read(text: str) -> Search:
    """Read the filter; what is no name we know is a word."""
    named: list[tuple[str, str]] = []
    words: list[str] = []
    for part in list(PART.finditer(text[:LONGEST].replace("\x00", "")))[:20]:
        name, value = (part["name"], part["quoted"]) if part["name"] else _split(part["plain"])
        if value and name.lower() in NAMES:
            named.append((name.lower(), value))
        else:
            words.append(part[0])
    return Search(tuple(named), tuple(words))


def write(search: Search) -> str:
    """Write a filter as a person would type it."""
    named = [
        f'{name}:"{value}"' if re.search(r"\s", value) else f"{name}:{value}" for name, value in search.named
    ]
    return " ".join([*named, *search.words])


def _split(part: str) -> tuple[str, str]:
    name, _, value = part.partition(":")
    return name, value
