"""Failures of one cause put together: the message with everything that varies taken out, under tool, class and code.

A fingerprint follows from the call alone, so that it is the same in every process and after every restart; its
template says what was left and what was taken out, which is all there is to explain.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from telemetry.domain.ids import id_of_words

LONGEST = 300  # characters of a message that are looked at
TEMPLATE = 160  # characters of a template that are kept
OTHERS = "<other messages>"
LEAST_RECEIVED = 2  # a single character stands in too many places by chance
_HERE = "\ue000"  # stands for the refused value while the rest is looked at; no message means anything by it


def _quoted() -> str:
    """Give the pattern of a quoted value: at most three words, because a quoted sentence is the message itself."""
    marks = (('"', '"'), ("'", "'"), ("`", "`"), ("“", "”"), ("「", "」"), ("『", "』"), ("«", "»"))
    return "|".join(f"(?<!\\w){o}[^{c}\\s]{{0,60}}(?:[ ][^{c}\\s]{{0,30}}){{0,2}}{c}" for o, c in marks)


# Tried in this order at each place; the first that matches takes it. Names are what people read in the template.
_PATTERNS = (
    ("url", r"\b(?:https?|wss?|ftp|s3|gs|postgres(?:ql)?|mysql|redis|amqp)://[^\s\"'<>)\]}，。]+"),
    ("email", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    ("uuid", r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"),
    ("ip", r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\b(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{0,4}\b"),
    (
        "time",
        r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?:\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?",
    ),
    ("time", r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d(?: GMT)?"),
    ("time", r"\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b"),
    ("date", r"\b\d{1,4}[/.]\d{1,2}[/.]\d{1,4}\b|\d{4}年\d{1,2}月\d{1,2}日"),
    ("address", r"\b0x[0-9a-fA-F]+\b"),
    ("quoted", _quoted()),
    ("path", r"(?<![\w<])(?:/[\w.@%+~-]+){2,}/?|\b[A-Za-z]:\\[^\s\"']+"),
    (
        "duration",
        r"\b\d+(?:[.,]\d+)?\s?(?:ns|µs|us|ms|s|sec(?:onds?)?|min(?:utes?)?|m|h(?:ours?)?|d(?:ays?)?)\b",
    ),
    ("id", r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z_-])(?:[\w-]{4,}|\d\w+)\b"),  # letters and digits mixed
    ("id", r"\b(?=\d*[a-fA-F])[0-9a-fA-F]{12,}\b|\b(?=[\d+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}"),
    ("n", r"[-+]?\d+(?:[.,]\d+)*%?"),
)
_VARIES = re.compile(
    "|".join(f"(?P<{name}_{place}>{pattern})" for place, (name, pattern) in enumerate(_PATTERNS))
)
_SPACES = re.compile(r"\s+")
_REPEATED = re.compile(r"(<\w+>)(?:[\s,;/|]+\1)+")
_STATUS = frozenset(
    map(str, (*range(400, 419), 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, *range(500, 512)))
)
# Where APIs put the sentence that says what went wrong.
_SENTENCES = (
    "message",
    "error_description",
    "detail",
    "error_message",
    "errorMessage",
    "msg",
    "title",
    "reason",
    "error",
)


@dataclass(frozen=True, slots=True)
class Cause:
    """What a failed call says about its cause."""

    tool: str
    failure_class: str
    code: str
    message: str = ""
    exception: str = ""  # its type
    field: str = ""
    received: str = ""  # the value that was refused, where it is known


@dataclass(frozen=True, slots=True)
class Rule:
    """A person's word: what holds `contains` in its message (of `tool`, or of any) is one cause called `title`.

    With a class it is that class as well, and with a code that code, whatever anybody else has said.
    """

    contains: str
    title: str
    tool: str = ""
    failure_class: str = ""
    code: str = ""
    id: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a message; `name` says what it was taken for where it varies."""

    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """One cause. `template` is the message without what varies."""

    id: int
    template: str

    @property
    def hex(self) -> str:
        """Give the id as short text."""
        return f"{self.id:016x}"


def fingerprint(cause: Cause, *, rules: Iterable[Rule] = ()) -> Fingerprint:
    """Give the fingerprint of a failure: by a person's rule, else by what does not vary in it."""
    rule = rule_for(cause.tool, cause.message, rules)
    if rule is not None:
        return _made(cause, rule.title[:TEMPLATE])
    about = [cause.exception, cause.field, _template_of(cause)]
    return _made(cause, ": ".join(part for part in about if part)[:TEMPLATE])


def rule_for(tool: str, message: str, rules: Iterable[Rule]) -> Rule | None:
    """Give the rule that holds for a message: the one that says most, so that a split wins over what it is cut from."""
    holding = [one for one in rules if one.contains and one.contains in message and one.tool in {"", tool}]
    return max(holding, key=lambda one: (len(one.contains), bool(one.tool), -one.id), default=None)


def _template_of(cause: Cause) -> str:
    """Give the template of a message, in which the value that was refused varies as well."""
    message, value = cause.message[:LONGEST], cause.received
    if len(value) < LEAST_RECEIVED or value not in message or value in cause.field:
        return template(message)
    return template(message.replace(value, _HERE)).replace(_HERE, "<received>")


def others(cause: Cause) -> Fingerprint:
    """Give the fingerprint that stands for the messages of a tool that are too many to tell apart."""
    return _made(cause, OTHERS)


def _made(cause: Cause, text: str) -> Fingerprint:
    return Fingerprint(id_of_words("f", cause.tool, cause.failure_class, cause.code, text), text)


@lru_cache(maxsize=4_096)
def template(message: str) -> str:
    """Give a message with everything that varies replaced by what it was: ids, times, numbers, quoted texts.

    The status number of a failure (`503`) says what happened and stays.
    """
    plain = _SPACES.sub(" ", message).strip()
    plain = _VARIES.sub(_placeholder, plain)
    return _REPEATED.sub(r"\1", plain)


def pieces(message: str, received: str = "") -> tuple[Piece, ...]:
    """Give a message in parts, so that a person sees what was taken out of it, and for what it was taken."""
    plain = _SPACES.sub(" ", message[:LONGEST]).strip()
    if len(received) < LEAST_RECEIVED or received not in plain:
        return tuple(_pieces(plain))
    found: list[Piece] = []
    for place, part in enumerate(plain.split(received)):
        found += [Piece(received, "received"), *_pieces(part)] if place else [*_pieces(part)]
    return tuple(found)


def _pieces(plain: str) -> Iterator[Piece]:
    at = 0
    for one in _VARIES.finditer(plain):
        name = _placeholder(one).strip("<>")
        if name == one.group():  # a status number, which stays
            continue
        if one.start() > at:
            yield Piece(plain[at : one.start()])
        yield Piece(one.group(), name)
        at = one.end()
    if at < len(plain):
        yield Piece(plain[at:])


def _placeholder(found: re.Match[str]) -> str:
    name = (found.lastgroup or "n_").rsplit("_", 1)[0]
    if name == "n" and found.group() in _STATUS:
        return found.group()
    return f"<{name}>"


def sentence(said: Mapping[str, Any]) -> str:
    """Give the sentence that says best what went wrong in the details of a call, or nothing."""
    failure, evidence = _mapping(said.get("failure")), _mapping(said.get("evidence"))
    exception = _mapping(evidence.get("exception"))
    for text in (
        failure.get("message"),
        exception.get("message"),
        _in_body(evidence.get("body")),
        evidence.get("stderr"),
    ):
        if isinstance(text, str) and text.strip():
            return text
    verdict = _mapping(said.get("verdict"))
    return str(failure.get("constraint") or verdict.get("constraint") or "")


def _in_body(body: Any, depth: int = 0) -> str | None:
    if isinstance(body, str):
        return body
    if isinstance(body, list) and body and depth < 4:
        return _in_body(body[0], depth + 1) if isinstance(body[0], Mapping) else None
    if not isinstance(body, Mapping) or depth >= 4:
        return None
    for name in ("error", "errors", "fault", "Error", "data"):
        if isinstance(body.get(name), Mapping | list) and (inner := _in_body(body[name], depth + 1)):
            return inner
    return next(
        (body[name] for name in _SENTENCES if isinstance(body.get(name), str) and body[name].strip()), None
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
