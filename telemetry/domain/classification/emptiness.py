"""Whether an answer that worked holds anything: a search without hits, a look-up of nothing."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.claims.runs import ran_badly
from telemetry.domain.classification.claims.vocabulary import FLAGS_GOOD, is_good_word
from telemetry.domain.classification.empty_roles import COUNTING, COUNTS, LISTS, META, ONE, SEARCHING
from telemetry.domain.classification.identifiers import words_of
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import blank, clip, integer, key, some
from telemetry.domain.classification.roles import ECHOES
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.words import read_code

_NOTHING = frozenset(
    {"[]", "{}", "null", "none", "nil", '""', "''", "[ ]", "{ }", "()", "undefined", "nan", "-", "n/a"}
)
_RESULT_TEXT = re.compile(r"^\W{0,3}(?:\[\]|\{\}|null|none|nil)\W{0,3}$", re.IGNORECASE)
FRAME = ("notfound", "warning", "message", "facet", "suggest", "pagination", "debug", "metadata")
"""Parts of names that stand around results and hold none."""
SIZES = frozenset({"size", "count", "returned"})
"""Counts of a page, which say nothing of what else there is."""
COUNTED_IN = frozenset(
    {"fields", "page", "paging", "meta", "result", "searchinformation", "pagination", "head"}
)
FEW = 2
"""So many single values beside an empty list are labels; more of them are a record that has an empty list."""


def searches(sight: Sight) -> bool:
    """True where the tool's name says that it searches."""
    return any(word in SEARCHING for word in sight.words)


def is_asked(sight: Sight) -> bool:
    """True where an argument is called what search boxes are."""
    return any(key(name) in ASKING for name in some(sight.args, 40))


ASKING = frozenset(
    {"search", "q", "query", "keyword", "keywords", "term", "searchterm", "searchword", "searchtext"}
)


def looks_up(sight: Sight) -> bool:
    """True where the tool's name says that it searches, or that it gives several things."""
    return searches(sight) or any(word in LISTS and word.endswith("s") for word in sight.words)


def counts_only(sight: Sight) -> bool:
    """True where a zero or a false is the answer asked for."""
    return any(word in COUNTING for word in sight.words) and not searches(sight)


def is_empty(sight: Sight) -> bool:
    """True for an answer of a read that worked and holds nothing."""
    evidence = sight.evidence
    if not sight.reads or not evidence.has_body or not evidence.complete or sight.cut:
        return False
    if sight.status == 204:
        return True
    body = sight.body
    if sight.text and not isinstance(body, dict | list):
        return is_empty_text(sight.text)
    if body is None:
        return sight.status is not None or evidence.exit_code is None
    if isinstance(body, list):
        if len(body) == 2 and isinstance(body[0], str) and is_good_word(body[0]):
            body = body[1] if isinstance(body[1], list) else [body[1]]
            return all(blank(one) for one in body[:3])
        return all(_nothing(one, sight) for one in body) if len(body) <= 3 else False
    if isinstance(body, dict):
        if ran_badly(body):
            return False
        return not body or _nothing(body, sight) or (len(body) <= 2 and _says_nothing(body))
    if evidence.body == "":
        return sight.status == 200 and not counts_only(sight)
    return isinstance(body, str) and is_empty_text(body)


def _says_nothing(body: Mapping[str, Any]) -> bool:
    """`{"s": "no_data"}`: a code in the answer's place."""
    codes = (read_code(value) for value in body.values() if isinstance(value, str) and 2 < len(value) < 60)
    return any(found is not None and found.cause is Cause.NO_RESULTS for found in codes)


def is_empty_text(text: str) -> bool:
    """Blank, a printed null or list, or a short sentence that says that there is nothing."""
    if len(text) > 600:
        return False
    plain = text.strip()
    if not plain or plain.lower() in _NOTHING or _RESULT_TEXT.match(plain):
        return True
    if len(plain) > 300 or "\n\n" in plain:
        return False
    return any(finding.cause is Cause.NO_RESULTS for finding in read_text(plain))


@dataclass(slots=True)
class Told:
    """What the members of an answer add up to."""

    full_lists: int = 0
    empty_lists: int = 0
    zeroes: int = 0
    nulls: int = 0
    blanks: int = 0
    flags: int = 0
    values: int = 0
    notes: int = 0
    """Empty lists of messages, which are as often remarks as results."""
    named_empty: bool = False
    """The list that the tool is named after is empty."""


def _nothing(body: object, sight: Sight) -> bool:
    """True where an object's lists, counts and values say that nothing was found."""
    if body is None or body == []:
        return True
    if not isinstance(body, dict):
        return False
    told = Told()
    _tell(told, body, sight, 0, alone=True)
    if told.named_empty:
        return True
    if told.full_lists or (told.values and told.notes and told.notes == told.empty_lists):
        return False
    missing = told.empty_lists or (told.zeroes and not counts_only(sight))
    if missing:
        return looks_up(sight) or (told.values <= FEW and not _identified(body))
    if told.nulls:
        return told.values <= FEW and not (_identified(body) and not blank(body.get("error")))
    return told.values == 0 and told.flags == 0 and told.blanks > 0


def _identified(body: Mapping[str, Any]) -> bool:
    """True for a record: it has an identity of its own."""
    return any(
        key(name) in {"id", "uuid", "uid", "guid"} and not blank(value)
        for name, value in some(body.items(), 40)
    )


def _tell(told: Told, body: Mapping[str, Any], sight: Sight, depth: int, *, alone: bool) -> None:
    """Add up what an object's members tell; `alone` says that nothing stands beside it on its way from the top."""
    for raw_name, value in some(body.items(), 80):
        role = key(raw_name)
        if role == "keys" and "records" in body:
            continue
        if role in COUNTS and (count := _count(value)) is not None:
            told.zeroes += count == 0
            told.full_lists += count > 0 and depth == 0 and role not in SIZES and not _has_empty_list(body)
        elif isinstance(value, list):
            told.named_empty |= not value and role in sight.words and depth < 3
            _tell_list(told, role, value, sight)
            told.empty_lists += not value and depth == 0 and _is_half_named(raw_name, role, sight)
        elif role == "message" and isinstance(value, dict) and depth < 2:
            _tell(told, value, sight, depth + 1, alone=False)
        elif _is_frame(raw_name, role):
            if isinstance(value, dict) and depth < 2 and role in COUNTED_IN:
                _tell_counts(told, value)
        elif isinstance(value, dict) and value:
            if depth < 5:
                _tell(told, value, sight, depth + 1, alone=alone and len(body) == 1)
        else:
            _tell_value(told, role, value, sight, alone=alone and len(body) == 1)


def _is_half_named(name: object, role: str, sight: Sight) -> bool:
    """True for a list called by a word of the tool's name and one more: `FaceDetails` of `detect_faces`."""
    if role in META or role in LISTS or any(part in role for part in FRAME):
        return False
    return any(word in sight.words or f"{word}s" in sight.words for word in words_of(clip(name, 60)).split())


def _is_frame(name: object, role: str) -> bool:
    """True for what stands around results: paging, echoes of the request, warnings, links."""
    if role in META or role in ECHOES or (isinstance(name, str) and name[:1] in {"@", "$", "_"}):
        return True
    if role.startswith(("is", "has")) and role.endswith(("error", "errored", "failed", "processing")):
        return True
    return role not in LISTS and any(part in role for part in FRAME)


def _tell_value(told: Told, role: str, value: object, sight: Sight, *, alone: bool) -> None:
    if role == "found" and value is False:
        told.zeroes += 1
    elif isinstance(value, bool):
        told.flags += value or role not in FLAGS_GOOD
        told.blanks += not value
    elif value in ({}, ""):
        told.empty_lists += role in LISTS and (value == {} or sight.text[:1] == "<")
        told.blanks += 1
    elif value is None:
        told.blanks += 1
        told.nulls += alone or role in LISTS or role in ONE
    elif blank(value):
        told.blanks += 1
    elif not _is_echo(value, sight):
        told.values += 1


def _tell_list(told: Told, role: str, value: list[Any], sight: Sight) -> None:
    if not value:
        told.notes += role == "messages" and not looks_up(sight)
        told.empty_lists += role in LISTS or (looks_up(sight) and role not in META)
    elif (
        role not in META
        and (role in LISTS or not any(part in role for part in FRAME))
        and not all(blank(one) or _nothing(one, sight) for one in some(value, 3))
    ):
        told.full_lists += 1
    elif role not in META:
        told.blanks += 1


def _tell_counts(told: Told, part: Mapping[str, Any]) -> None:
    for name, value in some(part.items(), 20):
        if key(name) in COUNTS and (count := _count(value)) is not None:
            told.zeroes += count == 0


def _count(value: object) -> int | None:
    return integer(value.get("value")) if isinstance(value, dict) else integer(value)


def _has_empty_list(body: Mapping[str, Any]) -> bool:
    return any(isinstance(value, list) and not value for value in some(body.values(), 60))


def _is_echo(value: object, sight: Sight) -> bool:
    """A value that the call itself sent, or that says nothing: false, zero."""
    if value in (0, "0", 0.0):
        return True
    return any(
        value == sent or (isinstance(sent, int) and value == clip(sent, 60))
        for sent in some(sight.args.values(), 30)
        if isinstance(sent, str | int | float)
    )
