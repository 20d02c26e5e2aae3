"""What a person types into the queue's filter, as a value: `tool:points.* class:hard is:unclaimed refund`."""

from dataclasses import dataclass, field

NAMES = frozenset({"tool", "class", "code", "agent", "trigger", "severity", "trace", "queue", "is"})


@dataclass(frozen=True, slots=True)
class Search:
    """Named filters (a `*` stands for anything) and free words; every one of them must fit."""

    named: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = field(default=())


def read(text: str) -> Search:
    """Read the filter; what is no name we know is a word."""
    named: list[tuple[str, str]] = []
    words: list[str] = []
    for part in text.replace("\x00", "").split()[:20]:
        name, colon, value = part.partition(":")
        if colon and value and name.lower() in NAMES:
            named.append((name.lower(), value))
        else:
            words.append(part)
    return Search(tuple(named), tuple(words))
