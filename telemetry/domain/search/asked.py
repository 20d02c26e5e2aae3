"""What a search asks for, as conditions that all have to hold."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Word:
    """A field is one of `patterns`, in which `*` stands for anything, also nothing; `exact` ones have no stars."""

    field: str
    patterns: tuple[str, ...]
    exact: tuple[str, ...] = ()
    negated: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """Give the values that are meant literally."""
        return (*self.exact, *(one for one in self.patterns if "*" not in one))

    @property
    def globs(self) -> tuple[str, ...]:
        """Give the values that have stars."""
        return tuple(one for one in self.patterns if "*" in one)


@dataclass(frozen=True, slots=True)
class Number:
    """A field lies between two numbers, both included; None is no bound."""

    field: str
    low: float | None
    high: float | None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text stands somewhere in what was reported."""

    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A search that reads. `since` is included, `until` is not."""

    words: tuple[Word, ...] = ()
    numbers: tuple[Number, ...] = ()
    texts: tuple[Text, ...] = ()
    since: datetime | None = None
    until: datetime | None = None

    def about(self, *fields: str) -> tuple[Word, ...]:
        """Give the conditions about some fields."""
        return tuple(word for word in self.words if word.field in fields)
