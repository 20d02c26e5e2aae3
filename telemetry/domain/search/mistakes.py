"""What is wrong with a search, said about the part that is wrong."""

from dataclasses import dataclass
from enum import StrEnum


class MistakeKind(StrEnum):
    """What sort of mistake it is."""

    NO_FIELD = "no_field"
    NO_VALUE = "no_value"
    NO_COLON = "no_colon"
    NO_WORD = "no_word"
    NO_NUMBER = "no_number"
    NO_MOMENT = "no_moment"
    NOT_NEGATED = "not_negated"
    UNCLOSED = "unclosed"
    TOO_LONG = "too_long"


# For programs; pages say it in the person's language (templates/telemetry/calls/_mistake.html).
_SAID = {
    MistakeKind.NO_FIELD: "there is no field of this name; put a text in quotes",
    MistakeKind.NO_VALUE: "a value is missing behind the colon",
    MistakeKind.NO_COLON: "a colon stands between a field and its value; put a text in quotes",
    MistakeKind.NO_WORD: "the field does not have this value",
    MistakeKind.NO_NUMBER: "not a number, a comparison such as >500, or a range such as 2..5",
    MistakeKind.NO_MOMENT: "neither a length of time such as 2h nor a moment such as 2026-11-30T14:00",
    MistakeKind.NOT_NEGATED: "a bound of time cannot be negated",
    MistakeKind.UNCLOSED: "a quotation mark is not closed",
    MistakeKind.TOO_LONG: "more than a search may hold",
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One wrong part: the text as typed, where it stands, and what could stand there."""

    kind: MistakeKind
    part: str
    start: int
    end: int
    field: str = ""
    value: str = ""
    known: tuple[str, ...] = ()
    nearest: str = ""

    @property
    def mended(self) -> str:
        """Give the part as it may have been meant, or nothing."""
        if self.kind is MistakeKind.NO_COLON or not self.nearest:
            return self.nearest
        begin = self.part.lower().find(self.value.lower())
        return self.part[:begin] + self.nearest + self.part[begin + len(self.value) :] if begin >= 0 else ""

    @property
    def sentence(self) -> str:
        """Say it in English."""
        known = f": one of {', '.join(self.known)}" if self.known else ""
        meant = f"; did you mean {self.nearest}" if self.kind is MistakeKind.NO_COLON else ""
        return f"{self.part}: {_SAID[self.kind]}{known}{meant}."
