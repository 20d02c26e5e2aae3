"""Whether a body says of itself that the call failed, worked, or says nothing: the trap of errors in a 200."""

from collections.abc import Iterator, Mapping
from typing import Any

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.claims.members import claims
from telemetry.domain.classification.claims.vocabulary import (
    ERRORS,
    FEEDBACK,
    GOOD_CODES,
    HEADS,
    SAYS,
    SETTLED,
    SUSPICIOUS,
    TELLING,
    USER_ERRORS,
    WORDS_BAD,
    is_identity,
    says,
)
from telemetry.domain.classification.phrases import read_text
from telemetry.domain.classification.plain import clip, json_in, key, mapping, names_within, some
from telemetry.domain.classification.roles import ECHOES

__all__ = ["SAYS", "claims_failure", "is_problem", "unwrapped"]

TYPED = ("Error", "Exception", "Invalid", "NotFound", "Failure", "Unauthorized", "Forbidden", "Conflict")
"""Ends of GraphQL type names that stand for a failure among the members of a union."""
PACKED = ("data", "result", "body", "response", "content")
"""Ends of keys under which one answer is packed into another."""


def claims_failure(body: object, *, writes: bool, fine: frozenset[str] = frozenset()) -> bool:
    """True where the body's own flags, codes or words say that the call failed."""
    outer = mapping(body)
    if outer is None:
        return False
    inside = names_within(outer, 7)
    if inside.isdisjoint(SUSPICIOUS) and not _packs_json(outer):
        return False
    if claims(outer, writes=writes, fine=fine):
        return True
    if inside.isdisjoint(TELLING) and not any(name.endswith(PACKED) for name in inside):
        return False
    if any(_refused_inputs(outer, 0)) or _lonely_error(outer, writes=writes):
        return True
    return _inner_claims(outer, writes=writes, fine=fine)


def _inner_claims(outer: Mapping[str, Any], *, writes: bool, fine: frozenset[str]) -> bool:
    """What stands inside: an answer packed as text, a wrapper's one member, a head beside the data."""
    if _inner_json(outer, writes=writes, fine=fine) or (writes and _settled_badly(outer)):
        return True
    inner = unwrapped(outer)
    levels: list[Mapping[str, Any]] = [outer]
    if isinstance(inner, dict) and inner is not outer:
        if claims(inner, writes=writes, fine=fine):
            return True
        levels.append(inner)
    return any(
        isinstance(part, dict) and key(name) in HEADS and claims(part, writes=writes, fine=fine)
        for level in levels
        for name, part in some(level.items(), 40)
    )


def unwrapped(body: object) -> object:
    """Inside `{"Response": {…}}`, `{"xml": {…}}`, SOAP's Envelope and Body, `{"x_response": {…}, "sign": …}`."""
    for _ in range(6):
        if not isinstance(body, dict) or not 0 < len(body) <= 4:
            return body
        members = [(key(name), value) for name, value in body.items()]
        inner = [(role, value) for role, value in members if role not in ECHOES and role != "header"]
        alone = len(inner) == 1
        wrapped = [
            value for role, value in inner if isinstance(value, dict) and (alone or role.endswith("response"))
        ]
        if len(wrapped) != 1 or (alone and inner[0][0] in NO_WRAPPERS):
            return body
        body = wrapped[0]
    return body


NO_WRAPPERS = ERRORS | {"data", "result", "item", "record", "user", "message", "partialsuccess"}


def _packs_json(body: Mapping[str, Any]) -> bool:
    return any(isinstance(value, str) and value[:1] == "{" for value in some(body.values(), 20))


def _inner_json(body: Mapping[str, Any], *, writes: bool, fine: frozenset[str]) -> bool:
    """An answer packed as text into another one, or an error number inside the payload."""
    for name, value in some(body.items(), 20):
        role = key(name)
        if isinstance(value, str) and value[:1] == "{" and len(value) < 20_000 and role.endswith(PACKED):
            inner = json_in(value)
            if isinstance(inner, dict) and claims(inner, writes=writes, fine=fine):
                return True
        if (
            isinstance(value, dict)
            and role in {"data", "extra", "output", "payload"}
            and _has_error_code(value)
        ):
            return True
    return False


def _has_error_code(body: Mapping[str, Any]) -> bool:
    """An error number inside the payload, as Douyin writes it."""
    return any(
        key(name) in {"errorcode", "errcode", "errno"}
        and not isinstance(value, bool)
        and clip(value, 40).lower() not in {*GOOD_CODES, ""}
        for name, value in some(body.items(), 30)
    )


def _settled_badly(body: Mapping[str, Any]) -> bool:
    return any(
        key(name) in SETTLED and isinstance(part, dict) and key(part.get("status", "")) in WORDS_BAD
        for name, part in some(body.items(), 40)
    )


def _lonely_error(body: object, *, writes: bool) -> bool:
    """An error at the end of a chain of single members: the one thing asked for, and it failed."""
    for depth in range(8):
        if isinstance(body, list | tuple) and len(body) == 1:
            body = body[0]
            continue
        if not isinstance(body, dict) or len(body) > 3:
            return False
        error = next((value for name, value in body.items() if key(name) in {"error", "errors"}), None)
        if depth and isinstance(error, dict) and error:
            if not writes and any(is_identity(key(name)) for name in body):
                return False
            return len(error) > 1 and any(says(key(name)) for name in some(error, 20))
        inner = [value for value in body.values() if isinstance(value, dict | list | tuple) and value]
        if len(inner) != 1:
            return False
        body = inner[0]
    return False


def _refused_inputs(body: Mapping[str, Any], depth: int) -> Iterator[bool]:
    """GraphQL mutations that answer with `userErrors`; bank answers whose return codes begin with 9."""
    if depth and clip(body.get("__typename"), 80).endswith(TYPED):
        yield True
    for name, value in some(body.items(), 30):
        if isinstance(value, dict) and depth < 5:
            yield from _refused_inputs(value, depth + 1)
        elif key(name) == "lastevent":
            yield key(value) in WORDS_BAD
        elif isinstance(value, list) and value:
            role = key(name)
            if role in USER_ERRORS or (role in FEEDBACK and any(map(_is_refusal, some(value, 20)))):
                yield True


def _is_refusal(feedback: object) -> bool:
    return isinstance(feedback, dict) and clip(feedback.get("code"), 8).startswith("9")


PLACES = frozenset({"detail", "status", "instance", "traceId", "errors"})


def is_problem(body: Mapping[str, Any]) -> bool:
    """True for an error's body whose status got lost: RFC 9457, FastAPI's `detail`, one sentence that is a refusal."""
    kind, title, detail = body.get("type"), body.get("title"), body.get("detail")
    if isinstance(kind, str) and isinstance(title, str) and ("://" in kind or kind == "about:blank"):
        return not PLACES.isdisjoint(body)
    if isinstance(detail, list) and detail:
        return all(isinstance(one, dict) and "loc" in one and "msg" in one for one in some(detail, 5))
    said = body.get("message") or body.get("Message") or body.get("detail")
    if (
        not isinstance(said, str)
        or len(said) > 300
        or len(body) > 5
        or not {"id", "ok", "success"}.isdisjoint(body)
    ):
        return False
    status = body.get("statusCode") or body.get("status") or body.get("status_code")
    if isinstance(status, int) and 400 <= status <= 599:
        return True
    found = read_text(said)
    return bool(found) and found[0].weight >= 84 and found[0].cause is not Cause.NO_RESULTS
