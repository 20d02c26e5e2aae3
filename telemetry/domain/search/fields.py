"""The fields that a search knows, and what may stand behind each."""

from dataclasses import dataclass
from enum import StrEnum

from telemetry.vocabulary import FailureClass, Outcome, RecoveredBy


class Sort(StrEnum):
    """What a field's value is."""

    NAME = "name"  # any text, `*` stands for anything
    WORD = "word"  # one of a few words, `*` stands for anything
    ID = "id"  # exactly this
    NUMBER = "number"
    MOMENT = "moment"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the language. `words` are the only values of a closed one, `example` is shown as help."""

    name: str
    sort: Sort
    example: str
    words: tuple[str, ...] = ()


FIELDS = {
    field.name: field
    for field in (
        Field("tool", Sort.NAME, "tool:pay*"),
        Field("agent", Sort.NAME, "agent:trip-booker"),
        Field("class", Sort.WORD, "class:hard,internal", tuple(FailureClass)),
        Field("code", Sort.NAME, "code:RATE_LIMITED"),
        Field("outcome", Sort.WORD, "outcome:failed", tuple(Outcome)),
        Field("recovered", Sort.WORD, "recovered:retry", tuple(RecoveredBy)),
        Field("person", Sort.WORD, "person:needed", ("needed",)),
        Field("ms", Sort.NUMBER, "ms:>500"),
        Field("attempts", Sort.NUMBER, "attempts:2..5"),
        Field("since", Sort.MOMENT, "since:2h"),
        Field("until", Sort.MOMENT, "until:2026-11-30T14:00"),
        Field("cause", Sort.ID, "cause:1f00ab34cd56ef78"),
        Field("trace", Sort.ID, "trace:4bf92f3577b34da6a3ce929d0e0e4736"),
        Field("call", Sort.ID, "call:c-17"),
    )
}
