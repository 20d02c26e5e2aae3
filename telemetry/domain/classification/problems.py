"""Finds what an error body says, whoever wrote it: codes, sentences, fields and values by the role of their keys."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from telemetry.domain.classification.plain import (
    MISSING,
    clip,
    integer,
    json_in,
    json_within,
    key,
    names,
    some,
)
from telemetry.domain.classification.roles import (
    CODES,
    CONSTRAINTS,
    CONTAINERS,
    ECHOES,
    FIELDS,
    PAYLOADS,
    TEXTS,
    VALUES,
)
from telemetry.domain.classification.words import is_identifier

MAX_PROBLEMS = 40
MAX_DEPTH = 9
MAX_NODES = 600


@dataclass(slots=True)
class Problem:
    """What one object of an error body says."""

    codes: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    """Numbers between 400 and 599 that stand where a status stands."""
    field_path: str | None = None
    constraint: str | None = None
    received: Any = MISSING
    depth: int = 0
    named: bool = False
    """True where the body has a key for the field, False where the field is the key the error stands under."""

    def __bool__(self) -> bool:
        return bool(self.codes or self.texts or self.statuses)

    def code(self, value: object) -> None:
        """Keep an identifier or number, and its use as a status."""
        text = clip(value, 200).strip()
        if text and text not in self.codes:
            self.codes.append(text)
        status = integer(text)
        if status is not None and 400 <= status <= 599:
            self.statuses.append(status)

    def text(self, value: str) -> None:
        """Keep a sentence once."""
        if value and value not in self.texts:
            self.texts.append(value)


class Collector:
    """Walks a body once, within bounds, and keeps what it says."""

    def __init__(self, *, skip_payload: bool) -> None:
        self.problems: list[Problem] = []
        self.skip_payload = skip_payload
        self.nodes = 0

    def walk(self, value: object, path: str, depth: int) -> None:
        """Collect from what stands under an error's key; `path` names the field that it is about, if any."""
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH or len(self.problems) >= MAX_PROBLEMS:
            return
        if isinstance(value, dict):
            self._object(value, path, depth)
        elif isinstance(value, list | tuple):
            for item in some(value, 20):
                self.walk(item, path, depth + 1)
        elif isinstance(value, str):
            self._sentence(value, path, depth)

    def _sentence(self, value: str, path: str, depth: int) -> None:
        problem = Problem(depth=depth, field_path=path or None)
        _say(problem, value)
        if problem:
            self.problems.append(problem)
        self._nested(value, depth)

    def _nested(self, value: str, depth: int) -> None:
        """JSON inside a message: zod issues, MCP texts, HubSpot's property errors."""
        if "{" in value and len(value) < 20_000:
            inner = json_in(value)
            if inner is MISSING:
                inner = json_within(value)
            if isinstance(inner, dict | list):
                self.walk(inner, "", depth + 1)

    def _object(self, value: Mapping[str, Any], path: str, depth: int) -> None:
        problem = Problem(depth=depth)
        by_field = _is_field_map(value)
        below: list[tuple[object, str]] = []
        answers = "path" in value and ("status" in value or "timestamp" in value or "statusCode" in value)
        for raw_name, inner in some(value.items(), 60):
            name = str(raw_name)[:200]
            role = key(name)
            if answers and role == "path":
                continue
            if by_field and role not in CONTAINERS:
                below.append((inner, _joined(path, name)))
            elif isinstance(inner, dict | list | tuple):
                if role in INSIDE:
                    self.skip_payload = False
                if self._inner(problem, role, inner):
                    below.append(
                        (
                            inner,
                            path
                            if role in ROLELESS or "error" in role or "cause" in role
                            else _joined(path, name),
                        )
                    )
            else:
                _leaf(problem, role, inner)
        if "lang" in value and isinstance(value.get("value"), str):
            _say(problem, value["value"])
        problem.named = problem.field_path is not None
        if problem or problem.named:
            problem.field_path = problem.field_path or path or None
            self.problems.append(problem)
        for text in list(problem.texts):
            self._nested(text, depth)
        for inner, inner_path in below:
            self.walk(inner, (problem.field_path or inner_path) if problem.named else inner_path, depth + 1)

    def _inner(self, problem: Problem, role: str, inner: Any) -> bool:
        """Read an object or list by its role; True where it is to be walked as well."""
        if (role in FIELDS or role.endswith(NAMING)) and (path := _path(inner)):
            problem.field_path = path
            return False
        if role in VALUES:
            problem.received = inner
            return False
        if role == "constraints" and isinstance(inner, dict):
            for said in some(inner.values(), 8):
                if isinstance(said, str):
                    _say(problem, said)
            return False
        if role in CODES and isinstance(inner, list | tuple):
            for item in some(inner, 5):
                if isinstance(item, str):
                    problem.code(item)
        payload = role in PAYLOADS and not (
            role in TEXTS
            and isinstance(inner, list | tuple)
            and all(isinstance(one, str) for one in some(inner, 5))
        )
        return role not in ECHOES and not (self.skip_payload and payload and not _complains(inner))


ROLELESS = (
    CODES
    | TEXTS
    | CONTAINERS
    | PAYLOADS
    | names("items item all root entry global general default generic")
    | frozenset({""})
)


def _complains(value: object, depth: int = 0) -> bool:
    """True for an object with an error's members: `{"Response": {"Error": …}}` is no payload."""
    if not isinstance(value, dict) or depth > 2:
        return False
    return any(
        key(name) in COMPLAINTS or _complains(inner, depth + 1) for name, inner in some(value.items(), 30)
    )


INSIDE = names("error errors fault exception failure errorresponse")
"""Below these keys nothing is a result any more."""
COMPLAINTS = names(
    """
    error errors errmsg errormsg errorcode errcode errormessage fault faultcode errno errortext subcode
    errcodedes exception resultcode returncode usererrors mediausererrors mutationerrors
    """
)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_field_map(value: Mapping[str, Any]) -> bool:
    """True for `{"name": ["is too long"], …}`: keys are fields, values are what is wrong with them."""
    if not 0 < len(value) <= 60:
        return False
    found = False
    for name, said in some(value.items(), 10):
        role = key(name)
        if isinstance(said, str):
            if role in CODES or role in TEXTS or role in FIELDS or role in ECHOES or role in VALUES:
                return False
            found = found or " " in said or not said.isascii()
        elif isinstance(said, list | tuple):
            found = found or any(isinstance(one, str) for one in some(said, 3))
        elif isinstance(said, dict):
            found = found or "_errors" in said
        else:
            return False
    return found


def _leaf(problem: Problem, role: str, inner: object) -> None:
    if (
        (role in FIELDS or role.endswith(NAMING))
        and isinstance(inner, str)
        and inner
        and problem.field_path is None
        and len(inner) <= 200
    ):
        problem.field_path = inner
    if role in VALUES:
        problem.received = inner
    if inner is None or isinstance(inner, bool) or role in ECHOES:
        return
    if role in CONSTRAINTS and isinstance(inner, str | int | float):
        problem.constraint = clip(inner, 300)
    if isinstance(inner, str) and (role in TEXTS or role in CODES or role.endswith(SPEAKING)):
        _say(problem, inner)
    elif role in CODES or role.endswith("code"):
        problem.code(inner)


NAMING = ("field", "param", "parameter", "fieldname", "paramname", "parametername", "argument")
SPEAKING = (
    "message",
    "msg",
    "text",
    "response",
    "desc",
    "description",
    "reason",
    "code",
    "errortype",
    "detail",
    "details",
)


def _say(problem: Problem, value: str) -> None:
    text = clip(value, 2_000).strip()
    if is_identifier(text):
        problem.code(text)
        if " " in text:
            problem.text(text)
    elif text:
        problem.text(text)


def _path(value: object) -> str | None:
    """`["body", "items", 0, "qty"]` → `body.items.0.qty`; objects such as JSON:API's `source` → their pointer."""
    if isinstance(value, dict):
        for name in ("pointer", "parameter", "header", "field", "path", "attribute"):
            inner = value.get(name)
            if isinstance(inner, str) and inner:
                return inner
        return None
    if isinstance(value, list | tuple) and value:
        parts = some(value, 12)
        if all(isinstance(part, str | int) and not isinstance(part, bool) for part in parts):
            return ".".join(clip(part, 80) for part in parts)
    return None


def problems_of(body: object, *, skip_payload: bool = False) -> list[Problem]:
    """Everything an error body says; with `skip_payload` the parts that hold results are left out."""
    collector = Collector(skip_payload=skip_payload)
    collector.walk(body, "", 0)
    return collector.problems


def leaves(problems: list[Problem]) -> Iterator[str]:
    """All codes and sentences."""
    for problem in problems:
        yield from problem.codes
        yield from problem.texts
