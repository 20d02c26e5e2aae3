"""A search cut into terms: a sign, a field, and pieces of a value, each quoted or bare."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

FIELD = re.compile(r"([A-Za-z_]+):")
_SPACE = re.compile(r"\s*")
_BARE = re.compile(r'[^\s,"]+')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the values of a term."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Term:
    """One term and where it stands. A text has no field. `closed` is False where a quotation mark has no partner."""

    field: str
    pieces: tuple[Piece, ...]
    negated: bool
    start: int
    end: int
    closed: bool = True


def terms(text: str) -> Iterator[Term]:
    """Cut a search; every character belongs to a term or is space, so that nothing is left out silently."""
    at = _end(_SPACE.match(text, 0))
    while at < len(text):
        found = _term(text, at)
        yield found
        at = _end(_SPACE.match(text, found.end))


def _term(text: str, start: int) -> Term:
    at = start
    negated = text.startswith("-", at) and len(text) > at + 1 and not text[at + 1].isspace()
    at += negated
    named = FIELD.match(text, at)
    field = named[1].lower() if named else ""
    at = named.end() if named else at
    pieces: list[Piece] = []
    closed = True
    while at < len(text) and not text[at].isspace():
        if text[at] == "," and field:
            at += 1
        elif text[at] == '"':
            quoted = _QUOTED.match(text, at)
            closed = closed and quoted is not None
            inside = quoted[1] if quoted else text[at + 1 :]
            pieces.append(Piece(_ESCAPED.sub(r"\1", inside), quoted=True))
            at = quoted.end() if quoted else len(text)
        else:
            bare = _BARE.match(text, at) if field else re.compile(r'[^\s"]+').match(text, at)
            pieces.append(Piece(text[at : _end(bare)], quoted=False))
            at = _end(bare)
    return Term(field, tuple(pieces), negated, start, at, closed)


def _end(found: re.Match[str] | None) -> int:
    assert found is not None  # noqa: S101  # the patterns match wherever they are asked
    return found.end()
