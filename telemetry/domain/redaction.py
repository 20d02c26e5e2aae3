"""Secrets taken out of what agents report, by the names they stand under."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

REDACTED = "[redacted]"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ALONE = frozenset({
    "password", "passwd", "pwd", "passphrase", "secret", "secrets", "token", "authorization", "cookie", "cookies",
    "credential", "credentials", "bearer", "jwt", "apikey", "cvv", "cvc", "otp", "pin", "ssn", "sessionid", "passcode",
})  # fmt: skip
_PAIRS = frozenset({
    ("api", "key"), ("access", "key"), ("private", "key"), ("secret", "key"), ("signing", "key"), ("auth", "key"),
    ("encryption", "key"), ("account", "key"), ("subscription", "key"), ("card", "number"), ("security", "code"),
    ("private", "pem"),
})  # fmt: skip
# What a token or secret word belongs to when it is no secret: cursors of paging, counts of a model's tokens.
_HARMLESS = frozenset({
    "page", "next", "prev", "previous", "continuation", "sync", "cursor", "start", "count", "type", "limit", "usage",
    "max", "min", "total", "resume", "pagination", "expires", "expiry", "name", "arn", "policy", "length", "hint",
    "required", "valid", "used", "budget",
})  # fmt: skip
MAX_DEPTH = 64


@lru_cache(maxsize=16_384)
def is_secret(name: str) -> bool:
    """Say whether a value under this name must not be kept."""
    words = [word.lower() for word in _WORD.findall(name[:200])]
    if not _HARMLESS.isdisjoint(words):
        return False
    if not _ALONE.isdisjoint(words):
        return True
    return any(pair in _PAIRS for pair in pairwise(words))


def holds_secrets(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Say whether a value has a secret name, as deep as `redact` looks; quicker than taking it out of one that has none."""
    level = [value]
    while level and depth >= 0:
        depth -= 1
        beneath: list[Any] = []
        for one in level:
            parts = one
            if type(one) is dict:
                if _any_secret(tuple(one)):
                    return True
                parts = one.values()
            elif type(one) is not list:
                continue
            for part in parts:
                kind = type(part)
                if kind is dict or kind is list:
                    beneath.append(part)
        level = beneath
    return False


@lru_cache(maxsize=8_192)
def _any_secret(names: tuple[Any, ...]) -> bool:
    """Agents send objects of the same shape again and again: their names are judged together, once."""
    return any(isinstance(name, str) and is_secret(name) for name in names)


def redact(value: Any) -> tuple[Any, bool]:
    """Give the value without its secrets, and whether there were any. Nothing else is touched."""
    found: list[bool] = []
    return _walk(value, found, 0), bool(found)


def redact_failure(failure: Any) -> tuple[Any, bool]:
    """The same for `{field, received, …}`: what was received under a secret name is a secret."""
    if isinstance(failure, Mapping) and failure.get("received") is not None:
        name = failure.get("field")
        if isinstance(name, str) and is_secret(name):
            return {**failure, "received": REDACTED}, True
    return redact(failure)


def _walk(value: Any, found: list[bool], depth: int) -> Any:
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, Mapping):
        return {name: _entry(name, inner, found, depth) for name, inner in value.items()}
    if isinstance(value, list):
        return [_walk(inner, found, depth + 1) for inner in value]
    return value


def _entry(name: Any, inner: Any, found: list[bool], depth: int) -> Any:
    if inner in (None, "", REDACTED, True, False) or not isinstance(name, str) or not is_secret(name):
        return _walk(inner, found, depth + 1)
    if isinstance(inner, Mapping):  # `credentials: {user, password}`: its own names decide
        return _walk(inner, found, depth + 1)
    found.append(True)
    return REDACTED
