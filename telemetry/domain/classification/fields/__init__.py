"""Which argument is wrong, what it has to be, and what was sent: from pointers, names in texts, and the arguments."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from telemetry.domain.classification.fields.arguments import flattened, last_of, segments, value_at, valued_in
from telemetry.domain.classification.fields.glossary import abbreviated, subject_of, translated
from telemetry.domain.classification.fields.naming import (
    counted_in,
    given_in,
    left_blank,
    named_in,
    names_surely,
)
from telemetry.domain.classification.plain import MISSING, clip, key, names, some
from telemetry.domain.classification.problems import Problem
from telemetry.domain.classification.sight import Sight
from telemetry.domain.classification.words import read_code

__all__ = ["Blamed", "blame", "flattened", "segments", "valued_in"]

STATEMENTS = (
    *(
        "sql",
        "query",
        "cql",
        "yql",
        "statement",
        "cypher",
        "aql",
        "gql",
        "pipeline",
        "q",
        "jql",
        "soql",
        "expression",
    ),
    *("code", "script", "filter", "command", "kql", "promql", "flux", "formula"),
)
SELECTORS = ("css", "selector", "xpath", "locator", "element")
ADDRESSES = ("url", "uri", "endpoint", "address", "href", "link")
TEXTUAL = ("text", "caption", "message", "content", "body")
"""Texts with markup, which a messenger parses."""
AMBIGUOUS = frozenset({"code", "command", "filter", "q"})
"""Names of statements that are as often names of something else."""
GRAMMAR = (
    *("syntax", "parse error", "parseexception", "mismatched input", "unexpected token"),
    *("cannot recognize input", "parsing_exception", "parsing error", "no viable alternative"),
)
MEASURED = 60
"""Characters from which on a text is measured rather than repeated."""
TYPE_NAMES = names(
    "number string undefined null object boolean array nan integer float int str nonetype bool list dict date"
)


@dataclass(frozen=True, slots=True)
class Blamed:
    """The argument that is wrong."""

    field: str | None = None
    constraint: str | None = None
    received: Any = MISSING


def blame(sight: Sight, problems: list[Problem], texts: list[str]) -> Blamed:
    """The first argument that the problems or, failing that, the texts point to."""
    arguments = dict(flattened(sight.args))
    if problem := next((one for one in problems if one.field_path and one.named), None):
        if key(last_of(problem.field_path or "")) not in _own_names(sight) and _statement(sight, texts):
            return _from_texts(sight, problems, texts, arguments)
        return _from_problem(problem, arguments)
    stood_under = next((one for one in problems if one.field_path and _plausible(one, arguments)), None)
    if stood_under is not None and not names_surely(texts):
        return _from_problem(stood_under, arguments)
    return _from_texts(sight, problems, texts, arguments)


def _from_texts(
    sight: Sight, problems: list[Problem], texts: list[str], arguments: Mapping[str, Any]
) -> Blamed:
    constraint = next((one.constraint for one in problems if one.constraint), None) or _first_sentence(texts)
    received = next((one.received for one in problems if one.received is not MISSING), MISSING)
    said = texts + [code for problem in problems for code in problem.codes if len(code) < 200]
    field = (
        _statement(sight, texts)
        or named_in(said, arguments)
        or left_blank(said, arguments)
        or _by_nature(sight, texts)
        or abbreviated(said, arguments)
        or subject_of(said, arguments)
        or translated(said, arguments)
    )
    if field is None:
        given = given_in(texts)
        return Blamed(
            None, constraint, given if received is MISSING and given else _measured(received, texts)
        )
    if not field.isascii() and field not in arguments:
        field = translated(said, arguments) or field
    if received is MISSING:
        received = value_at(field, arguments)
    received = _measured(received, texts)
    given = given_in(texts, field)
    within = (
        isinstance(received, str | list | dict)
        and last_of(field).lower() in STATEMENTS
        and given
        and given.lower() in (received if isinstance(received, str) else str(received)[:2_000]).lower()
    )
    if given and (received is MISSING or within):
        received = given
    return Blamed(field, constraint, _repeated(received, texts))


def _measured(received: Any, texts: list[str]) -> Any:
    """How much there was, where a text counts what was too much of: `came to 151322 tokens`."""
    long = isinstance(received, list | dict) or (isinstance(received, str) and len(received) > MEASURED)
    counted = counted_in(texts) if received is MISSING or long else None
    return received if counted is None else counted


def _repeated(received: Any, texts: list[str]) -> Any:
    """The member of a list that a text repeats."""
    members = [one for one in received if isinstance(one, str) and one] if isinstance(received, list) else []
    return next(
        (
            one
            for one in members
            if any(re.search(rf"(?<![\w.]){re.escape(one)}(?!\w)", text) for text in texts)
        ),
        received,
    )


def _plausible(problem: Problem, arguments: Mapping[str, Any]) -> bool:
    """A key that an error stands under names a field only where a field may be called so."""
    last = key(last_of(problem.field_path or ""))
    if not last:
        return False
    if any(last == key(last_of(path)) for path in arguments) or set(problem.codes) <= set(problem.texts):
        return True
    named_so = "_" in (problem.field_path or "") or "." in (problem.field_path or "")
    return named_so and all(read_code(code) is not None for code in problem.codes)


def _from_problem(problem: Problem, arguments: Mapping[str, Any]) -> Blamed:
    path = problem.field_path or ""
    constraint = problem.constraint or _first_sentence(problem.texts) or next(iter(problem.codes), None)
    return Blamed(path, constraint, _received(problem, path, arguments))


def _received(problem: Problem, path: str, arguments: Mapping[str, Any]) -> Any:
    """What the body says it got; its type alone or a sentence is less than what was sent."""
    received = problem.received
    vague = isinstance(received, str) and (received in problem.texts or received.lower() in TYPE_NAMES)
    if received is MISSING or vague:
        sent = value_at(path, arguments)
        received = sent if sent is not MISSING else received
    given = given_in(problem.texts)
    if given and (received is MISSING or (given != received and given in arguments.values())):
        return given
    if received is MISSING and (repeated := valued_in(problem.texts, arguments)):
        return arguments[repeated]
    return _measured(received, problem.texts)


def _statement(sight: Sight, texts: list[str]) -> str | None:
    """The statement, where its own grammar is broken: what stands in quotes is a piece of it."""
    if not any(mark in text[:800].lower() for text in some(texts, 4) for mark in GRAMMAR):
        return None
    own = _own_names(sight)
    return next((own[name] for name in STATEMENTS if name in own and name not in AMBIGUOUS), None)


def _by_nature(sight: Sight, texts: list[str]) -> str | None:
    """A statement, selector or address is the one thing that its own parser can refuse."""
    own = _own_names(sight)
    joined = " ".join(texts)[:2_000].lower()
    wanted: tuple[str, ...] = STATEMENTS
    if "entities" in joined or "markdown" in joined:
        wanted = TEXTUAL
    elif any(word in joined for word in ("selector", "xpath", "locator")):
        wanted = SELECTORS
    elif any(word in joined for word in ("url", "protocol", "scheme")):
        wanted = ADDRESSES
    return next((own[name] for name in wanted if name in own), None)


def _own_names(sight: Sight) -> dict[str, str]:
    return {key(name): str(name) for name in some(sight.args, 40)}


def _first_sentence(texts: list[str]) -> str | None:
    return clip(texts[0], 200) if texts else None
