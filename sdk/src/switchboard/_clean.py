"""What may leave the process: no secret, nothing without end, nothing that JSON cannot carry."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from dataclasses import fields as dataclass_fields
from datetime import date, time
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from pydantic import BaseModel

HIDDEN = "[redacted]"
SECRET_NAMES = (
    r"pass(word|wd|phrase|code)|pwd|secret|token|authori[sz]ation|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key"
    r"|credential|cookie|session[-_ ]?key|signature|\bcard\b|card[-_ ]?(no|num|number|pan)|cvv|cvc|\bcv2\b"
    r"|iban|\bssn\b|\bpin\b|otp"
)
# A scheme with its credential, one of our keys, or what may be a card number (checked by its last digit).
_SECRET_VALUE = re.compile(
    r"\b[Bb]earer\s+[\w.~+/=-]{8,}|\bsb_\w{8}_\w{16,}|\bsk-[\w-]{16,}|\b[3-6](?:[ -]?\d){14,15}\b"
)
_SAFE_INTEGER = 2**53
_MOST_TEXT, _MOST_ITEMS, _MOST_DEPTH, _MOST_KEY = 4_000, 200, 12, 200
_MOST_REMEMBERED = 4_096


@dataclass(slots=True)
class Budget:
    """How much room is left, and what had to be changed."""

    left: int
    flags: set[str] = field(default_factory=set)


class Cleaner:
    """Makes a bounded, redacted copy of a value. The original is never changed and never kept."""

    def __init__(self, *, secret_names: str = SECRET_NAMES, limit: int = 16_384) -> None:
        self._secret = re.compile(secret_names, re.IGNORECASE)
        self._limit = limit
        self._known: dict[str, bool] = {}

    def __call__(self, value: Any, *, limit: int | None = None) -> tuple[Any, set[str], int]:
        """Give the copy, the flags (redacted, truncated, not_json, …) and its rough size in characters."""
        whole = self._limit if limit is None else limit
        budget = Budget(whole)
        copy = self._copy(value, budget, 0)
        return copy, budget.flags, whole - budget.left

    def is_secret(self, name: str) -> bool:
        """Whether a value under this name must not leave the process."""
        known = self._known.get(name)
        if known is None:
            # Boundaries between words are wanted in snake_case and camelCase alike.
            spaced = re.sub(r"[_-]+|(?<=[a-z])(?=[A-Z])", " ", name[:_MOST_KEY])
            known = bool(self._secret.search(name[:_MOST_KEY]) or self._secret.search(spaced))
            if len(self._known) < _MOST_REMEMBERED:
                self._known[name] = known
        return known

    def _copy(self, value: Any, budget: Budget, depth: int) -> Any:
        kind = type(value)
        if kind is str:
            return self._text(value, budget)
        budget.left -= 8
        if value is None or kind is bool:
            return value
        if kind is int:
            return value if -_SAFE_INTEGER < value < _SAFE_INTEGER else _big(value, budget)
        if kind is float:
            return value if math.isfinite(value) else _flagged(str(value), "not_finite", budget)
        if depth >= _MOST_DEPTH:
            return _flagged("…", "truncated", budget)
        if kind is dict:
            return self._mapping(value, budget, depth)
        if kind is list or kind is tuple:
            return self._items(value, budget, depth)
        return self._other(value, budget, depth)

    def _text(self, value: str, budget: Budget) -> str:
        size = len(value)
        most = min(_MOST_TEXT, max(budget.left, 16))
        if size > most:
            value = value[:most] + "…"
            budget.flags.add("truncated")
            size = most
        budget.left -= size + 4
        if size > 11 and (found := _SECRET_VALUE.search(value)) is not None:
            value = _without_secrets(value, found, budget)
        if not value.isascii():
            value = value.encode("utf-8", "replace").decode("utf-8")
        return value.replace("\x00", "\ufffd") if "\x00" in value else value

    def _mapping(self, value: Mapping[Any, Any], budget: Budget, depth: int) -> dict[str, Any]:
        copy: dict[str, Any] = {}
        for name, inner in value.items():
            if budget.left <= 0 or len(copy) >= _MOST_ITEMS:
                budget.flags.add("truncated")
                break
            key = name if type(name) is str else str(name)
            if len(key) > _MOST_KEY or not key.isascii():
                key = self._text(key[:_MOST_KEY], budget)
            if inner is not None and self.is_secret(key) and not isinstance(inner, bool):
                budget.flags.add("redacted")
                copy[key] = HIDDEN
                continue
            budget.left -= len(key)
            copy[key] = self._copy(inner, budget, depth + 1)
        return copy

    def _items(self, value: Any, budget: Budget, depth: int) -> list[Any]:
        copy: list[Any] = []
        for inner in value:
            if budget.left <= 0 or len(copy) >= _MOST_ITEMS:
                budget.flags.add("truncated")
                break
            copy.append(self._copy(inner, budget, depth + 1))
        return copy

    def _other(self, value: Any, budget: Budget, depth: int) -> Any:
        match value:
            case Enum() | str() | int() | float() | date() | time() | UUID() | Decimal():
                return self._copy(_plain(value), budget, depth + 1)
            case BaseModel():
                return self._mapping(_fields(value), budget, depth)
            case Mapping():
                return self._mapping(value, budget, depth)
            case set() | frozenset() | list() | tuple():
                return self._items(value, budget, depth)
            case bytes() | bytearray() | memoryview():
                return _flagged(f"<{len(value)} bytes>", "not_json", budget)
            case _ if is_dataclass(value) and not isinstance(value, type):
                shown = {
                    each.name: getattr(value, each.name) for each in dataclass_fields(value) if each.repr
                }
                return self._mapping(shown, budget, depth)
            case _:
                # A repr may run anybody's code and may say anybody's secret: the type is enough.
                return _flagged(f"<{type(value).__module__}.{type(value).__qualname__}>", "not_json", budget)


def _plain(value: Any) -> str | int | float:
    """Give the plain number or text that stands for one value of another type."""
    match value:
        case Enum():
            inner = value.value
            return inner if isinstance(inner, str | int | float) else str(inner)
        case date() | time():
            return value.isoformat()
        case float():
            return float(value)
        case int():
            return int(value)
        case _:
            return str(value)


def _fields(model: BaseModel) -> dict[str, Any]:
    """Give a model's fields under the names they have on the wire, without the empty ones."""
    known = type(model).model_fields
    shown = {
        known[name].serialization_alias or name if name in known else name: value for name, value in model
    }
    return {name: value for name, value in shown.items() if value is not None}


def _without_secrets(value: str, first: re.Match[str], budget: Budget) -> str:
    def hide(found: re.Match[str]) -> str:
        if found.group()[0].isdigit() and not _is_card(found.group()):
            return found.group()
        budget.flags.add("redacted")
        return HIDDEN

    return value[: first.start()] + _SECRET_VALUE.sub(hide, value[first.start() :])


def _is_card(text: str) -> bool:
    """Whether the digits pass the check every payment card's number passes (Luhn)."""
    digits = [int(c) for c in text if c.isdigit()]
    doubled = [d if i % 2 else sum(divmod(d * 2, 10)) for i, d in enumerate(reversed(digits), start=1)]
    return sum(doubled) % 10 == 0


def _big(value: int, budget: Budget) -> str:
    # Other languages read numbers as doubles: beyond 2**53 they would silently change.
    shown = str(value) if value.bit_length() <= 512 else f"about 2^{value.bit_length()}"
    return _flagged(shown, "big_integer", budget)


def _flagged(text: str, flag: str, budget: Budget) -> str:
    budget.flags.add(flag)
    budget.left -= len(text)
    return text
