"""Finds what an error body says, whoever wrote it: codes, sentences, fields and values by the role of their keys."""

from collections.abc import Iterator, Mapping
from typing import Any

from telemetry.domain.classification.plain import MISSING, json_in, json_within, key, names, some
from telemetry.domain.classification.problem import Problem
from telemetry.domain.classification.roles import CODES, CONTAINERS, ECHOES, FIELDS, PAYLOADS, TEXTS, VALUES
from telemetry.domain.classification.words import read_code

__all__ = ["Problem", "leaves", "problems_of"]

MAX_PROBLEMS = 40
MAX_DEPTH = 9
MAX_NODES = 600

ROLELESS = (
    CODES
    | TEXTS
    | CONTAINERS
    | PAYLOADS
    | {"", *names("items item all root entry global general default generic envelope")}
)
"""Keys under which an error may stand without being about a field of that name."""
INSIDE = names("error errors fault exception failure errorresponse")
"""From these keys on nothing is a result any more."""
ABOUT_ANSWERS = frozenset({"status", "timestamp", "statusCode", "locations", "extensions"})
"""Beside these, `path` is the address that was asked, or GraphQL's place in the answer."""
COMPLAINTS = names(
    """
    error errors errmsg errormsg errorcode errcode errormessage fault faultcode errno errortext subcode
    errcodedes exception resultcode returncode usererrors mediausererrors mutationerrors
    """
)
SAYING = CODES | TEXTS | FIELDS | ECHOES | VALUES


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
        problem.say(value)
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
        below = self._members(problem, value, path)
        if problem.field_path is None and _has_place(value) and _is_name(value.get("name")):
            problem.field_path = value["name"]
        problem.named = problem.field_path is not None
        if problem or problem.named:
            problem.field_path = problem.field_path or path or None
            self.problems.append(problem)
        for text in list(problem.texts):
            self._nested(text, depth)
        for inner, inner_path in below:
            about = problem.field_path if problem.named else None
            self.walk(inner, about or inner_path, depth + 1)

    def _members(self, problem: Problem, value: Mapping[str, Any], path: str) -> list[tuple[object, str]]:
        """Read an object's members into its problem; what is to be walked next, each with its field."""
        by_field = _is_field_map(value)
        about_request = "path" in value and not ABOUT_ANSWERS.isdisjoint(value)
        below: list[tuple[object, str]] = []
        for raw_name, inner in some(value.items(), 60):
            name = str(raw_name)[:200]
            role = key(name)
            if about_request and role == "path":
                continue
            if by_field and role not in CONTAINERS and name[:2] != "__":
                below.append((inner, _joined(path, name)))
            elif not isinstance(inner, dict | list | tuple):
                problem.leaf(role, inner)
            elif self._is_walked(problem, role, inner):
                roleless = (
                    role in ROLELESS
                    or role in {"params", "parameters"}
                    or "error" in role
                    or "cause" in role
                    or name.startswith("@")
                )
                below.append((inner, path if roleless else _joined(path, name)))
        if "lang" in value and isinstance(value.get("value"), str):
            problem.received = MISSING
            problem.say(value["value"])
        return below

    def _is_walked(self, problem: Problem, role: str, inner: Any) -> bool:
        if role in {"code", "subcode"} and isinstance(inner, dict) and isinstance(inner.get("Value"), str):
            problem.code(inner["Value"].rpartition(":")[2])
        if role in INSIDE:
            self.skip_payload = False
        if not problem.parts(role, inner):
            return False
        payload = role in PAYLOADS and not (role in TEXTS and _is_texts(inner))
        return not (self.skip_payload and payload and not _complains(inner))


def _has_place(value: Mapping[str, Any]) -> bool:
    """Beside a reason, or beside `"location": "body"` as Cornice writes it, `name` is the field's."""
    return "reason" in value or value.get("location") in ("body", "path", "querystring", "header", "query")


def _is_name(value: object) -> bool:
    """RFC 9457's own example lists `invalid-params` as `{"name": "age", "reason": "must be positive"}`."""
    return isinstance(value, str) and 0 < len(value) < 120 and " " not in value and not value.isupper()


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in some(value, 5))


def _complains(value: object, depth: int = 0) -> bool:
    """True for an object with an error's members: `{"Response": {"Error": …}}` is no payload."""
    if not isinstance(value, dict) or depth > 2:
        return False
    members = some(value.items(), 30)
    return any(key(name) in COMPLAINTS or _complains(inner, depth + 1) for name, inner in members)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_field_map(value: Mapping[str, Any]) -> bool:
    """True for `{"name": ["is too long"], …}`: keys are fields, values are what is wrong with them."""
    if not 0 < len(value) <= 60:
        return False
    own = [(name, said) for name, said in some(value.items(), 10) if not str(name).startswith("__")]
    verdicts = [_is_complaint(key(name), said) for name, said in own]
    return True in verdicts and None not in verdicts


def _is_complaining_code(said: str) -> bool:
    """`missing-required-key`: a complaint written as a code."""
    return ("-" in said or "_" in said) and read_code(said) is not None


def _is_complaint(role: str, said: object) -> bool | None:
    """Whether a member complains about a field of its name (True), may (False), or cannot (None)."""
    if isinstance(said, str):
        if role in SAYING:
            return None
        return " " in said or not said.isascii() or _is_complaining_code(said)
    if isinstance(said, list | tuple):
        return any(isinstance(one, str) for one in some(said, 3))
    if isinstance(said, dict):
        return "_errors" in said
    return None
