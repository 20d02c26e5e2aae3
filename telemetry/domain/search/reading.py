"""From the text of a search to what it asks for, or to what is wrong with it."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import NamedTuple

from console.kit.stars import too_many_stars
from telemetry.domain.search.asked import Asked, Number, Text, Word
from telemetry.domain.search.fields import FIELDS, Field, Sort
from telemetry.domain.search.mistakes import Mistake, MistakeKind
from telemetry.domain.search.terms import Piece, Term, terms

LONGEST, MOST_TERMS = 2_000, 40
MOST_NUMBER = 1e12
_AGO = re.compile(r"(\d{1,6})\s?(s|min|m|h|d|w)")
_UNITS = {"s": "seconds", "min": "minutes", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_BOUND = re.compile(r"(>=|<=|>|<|=)?(\d{1,12}(?:\.\d{1,6})?)(ms|s|min)?")
_RANGE = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\.\.(\d{1,12}(?:\.\d{1,6})?)")
_IN_MS = {None: 1.0, "ms": 1.0, "s": 1_000.0, "min": 60_000.0}
_LITTLE = 1e-9
_COMPARED = re.compile(r"([A-Za-z_]{2,20})(==|!=|>=|<=|>|<|=)(.{1,200})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text asks for; where there are mistakes, `asked` is what the rest of it says."""

    asked: Asked
    mistakes: tuple[Mistake, ...]


@dataclass(slots=True)
class _Read:
    words: list[Word] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    since: datetime | None = None
    until: datetime | None = None
    mistakes: list[Mistake] = field(default_factory=list)


def read(text: str, *, at: datetime) -> Reading:
    """Read a search. `at` is the present, in the zone in which moments without one are meant."""
    found, shown = _Read(), text[:LONGEST]
    for place, term in enumerate(terms(shown)):
        wrong = _take(term, found, at) if place < MOST_TERMS else Wrong(MistakeKind.TOO_LONG)
        if wrong is not None:
            found.mistakes.append(_mistake(wrong, term, shown[term.start : term.end]))
    if len(text) > LONGEST:
        found.mistakes.append(Mistake(MistakeKind.TOO_LONG, text[LONGEST:][:40], LONGEST, len(text)))
    lists = (tuple(found.words), tuple(found.numbers), tuple(found.texts))
    return Reading(Asked(*lists, found.since, found.until), tuple(found.mistakes[:MOST_TERMS]))


class Wrong(NamedTuple):
    """What is wrong with a term, and what it could be instead."""

    kind: MistakeKind
    value: str = ""
    known: tuple[str, ...] = ()
    nearest: str = ""


def _take(term: Term, found: _Read, at: datetime) -> Wrong | None:
    """Add a term to what was read, or say what is wrong with it."""
    if not term.closed:
        return Wrong(MistakeKind.UNCLOSED)
    if not term.field:
        if near := _near_miss(term):
            return near
        found.texts.append(Text("".join(piece.text for piece in term.pieces), term.negated))
        return None if found.texts[-1].text else Wrong(MistakeKind.NO_VALUE)
    known = FIELDS.get(term.field)
    if known is None:
        return _near(MistakeKind.NO_FIELD, term.field, tuple(FIELDS))
    pieces = [piece for piece in term.pieces if piece.text]
    if not pieces:
        return Wrong(MistakeKind.NO_VALUE, known=known.words)
    if known.sort is Sort.NUMBER:
        return _number(term, pieces, found)
    if known.sort is Sort.MOMENT:
        return _moment(term, pieces, found, at)
    return _word(known, term, pieces, found)


def _near_miss(term: Term) -> Wrong | None:
    """Find a field that is compared as other languages do it, `ms>500` or `class=hard`: meant as a term, not as a text."""
    if len(term.pieces) != 1 or term.pieces[0].quoted:
        return None
    said = _COMPARED.fullmatch(term.pieces[0].text)
    if said is None:
        return None
    name, sign, value = said[1].lower(), said[2], said[3]
    if name not in FIELDS:
        name = next(iter(get_close_matches(name, FIELDS, 1, 0.75)), "")
    if not name:
        return None
    negated = "-" if term.negated != (sign == "!=") else ""
    bound = sign if FIELDS[name].sort is Sort.NUMBER and sign not in {"=", "==", "!="} else ""
    return Wrong(MistakeKind.NO_COLON, term.pieces[0].text, nearest=f"{negated}{name}:{bound}{value}")


def _near(kind: MistakeKind, said: str, known: tuple[str, ...]) -> Wrong:
    return Wrong(kind, said, known, next(iter(get_close_matches(said.lower(), known, 1, 0.6)), ""))


def _mistake(wrong: Wrong, term: Term, part: str) -> Mistake:
    place = (part, term.start, term.end, term.field)
    return Mistake(wrong.kind, *place, wrong.value, wrong.known, wrong.nearest)


def _word(known: Field, term: Term, pieces: Sequence[Piece], found: _Read) -> Wrong | None:
    literal = known.sort is Sort.ID
    exact = tuple(piece.text for piece in pieces if piece.quoted or literal)
    patterns = tuple(piece.text for piece in pieces if not (piece.quoted or literal))
    if any(map(too_many_stars, patterns)):
        return Wrong(MistakeKind.TOO_LONG)
    if known.words:
        exact, patterns = tuple(map(str.lower, exact)), tuple(map(str.lower, patterns))
        for value in (*exact, *patterns):
            if value not in known.words and (value in exact or "*" not in value):
                return _near(MistakeKind.NO_WORD, value, known.words)
    found.words.append(Word(term.field, patterns, exact, term.negated))
    return None


def _number(term: Term, pieces: Sequence[Piece], found: _Read) -> Wrong | None:
    if len(pieces) != 1:
        return Wrong(MistakeKind.NO_NUMBER)
    said = pieces[0].text.replace("…", "..")
    if both := _RANGE.fullmatch(said):
        found.numbers.append(Number(term.field, float(both[1]), float(both[2]), term.negated))
        return None
    one = _BOUND.fullmatch(said)
    if one is None or (one[3] and term.field != "ms"):
        return Wrong(MistakeKind.NO_NUMBER, said)
    number = min(float(one[2]) * _IN_MS[one[3]], MOST_NUMBER)
    low, high = {
        ">": (number + _LITTLE, None),
        ">=": (number, None),
        "<": (None, number - _LITTLE),
        "<=": (None, number),
    }.get(one[1] or "=", (number, number))
    found.numbers.append(Number(term.field, low, high, term.negated))
    return None


def _moment(term: Term, pieces: Sequence[Piece], found: _Read, at: datetime) -> Wrong | None:
    if term.negated:
        return Wrong(MistakeKind.NOT_NEGATED)
    moment = _time(pieces[0].text, at) if len(pieces) == 1 else None
    if moment is None:
        return Wrong(MistakeKind.NO_MOMENT, pieces[0].text)
    if term.field == "since":
        found.since = max(moment, found.since or moment)
    else:
        found.until = min(moment, found.until or moment)
    return None


def _time(said: str, at: datetime) -> datetime | None:
    """Read a length of time as that long ago, else a moment; without a zone it is meant in the zone of `at`."""
    with suppress(ValueError, OverflowError):
        if ago := _AGO.fullmatch(said):
            return at - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        moment = datetime.fromisoformat(said)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=at.tzinfo)
        moment.timestamp()  # a moment that no calendar of ours has ends here
        return moment
    return None
