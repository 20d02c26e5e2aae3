"""Finds the argument that a message names in another language, by a small dictionary of parameter names."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from telemetry.domain.classification.fields.arguments import last_of
from telemetry.domain.classification.identifiers import words_of
from telemetry.domain.classification.knowledge import table
from telemetry.domain.classification.plain import some

READ = 400
"""Characters of a text that are searched."""


def _entries() -> list[tuple[str, frozenset[str]]]:
    found = []
    for lines in table("fields/glossary.toml")["words"].values():
        for line in lines.strip().split("\n"):
            foreign, _, english = line.partition(":")
            found += [(word, frozenset(english.split())) for word in foreign.split()]
    return sorted(found, key=lambda entry: -len(entry[0]))


_ENTRIES = _entries()


def abbreviated(texts: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """The argument whose name shortens what a text says: `instId` of `Instrument ID`."""
    joined = "\n".join(text[:READ] for text in some(texts, 6)).lower()
    for path in arguments:
        words = words_of(last_of(path)).split()
        if len(words) > 1 and re.search(r"\b" + r"[a-z]*[ _-]".join(map(re.escape, words)), joined):
            return path
    return None


_SUBJECT = re.compile(
    r"^(?:the |your )?([A-Za-z]{4,30}) (?:is|was|must|cannot|can't|has to|should|needs|may not)\b",
    re.IGNORECASE,
)
"""The word that a complaint begins with: `Date is invalid`."""


def subject_of(texts: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """The one argument of which a complaint's subject is a part: `due_date` of `Date is invalid`."""
    for text in some(texts, 6):
        if match := _SUBJECT.match(text):
            word = match.group(1).lower()
            found = [path for path in arguments if word in words_of(last_of(path)).split()]
            if len(found) == 1:
                return found[0]
    return None


def translated(texts: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """The argument whose English name a text says in Chinese, Japanese or German."""
    joined = "\n".join(text[:READ] for text in some(texts, 6)).lower()
    for foreign, english in _ENTRIES:
        if foreign in joined:
            for path in arguments:
                words = words_of(last_of(path)).split()
                if any(word in english or word.rstrip("s") in english for word in words):
                    return path
    return None
