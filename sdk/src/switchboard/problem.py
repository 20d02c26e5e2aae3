"""Reads the error bodies tools answer with: RFC 9457, our own shape, FastAPI's, and `{"error": {...}}`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from switchboard.failure import FieldError, as_code

_MESSAGES = ("message", "detail", "title", "error_description", "msg", "error", "reason")
_FIELDS = ("field", "param", "parameter", "pointer", "path", "name")
_CONSTRAINTS = ("constraint", "allowed", "allowed_values", "enum", "expected", "permitted")
_RECEIVED = ("received", "value", "rejected_value", "got")
_LISTS = ("errors", "details", "detail", "violations", "invalid_params", "invalid-params")


@dataclass(frozen=True, slots=True)
class Problem:
    """What a body says, as far as it can be read."""

    code: str | None = None
    message: str = ""
    field: str | None = None
    constraint: str | None = None
    received: Any = None
    hint: str | None = None
    errors: tuple[FieldError, ...] = ()


def read_problem(body: Any) -> Problem:
    """Everything named about what is wrong; an empty Problem for a body of another kind."""
    if isinstance(body, str):
        return Problem(message=body[:500])
    if not isinstance(body, Mapping):
        return Problem()
    inner = body.get("error")
    source: Mapping[str, Any] = {**body, **inner} if isinstance(inner, Mapping) else body
    errors = _errors(source)
    first = errors[0] if errors else None
    return Problem(
        code=_code(source),
        message=_text(source, _MESSAGES),
        field=_field(source) or (first.field if first else None),
        constraint=_constraint(source) or (first.constraint if first else None),
        received=_first(source, _RECEIVED) if first is None else first.received,
        hint=_hint(source) or (first.hint if first else None),
        errors=errors,
    )


def _errors(source: Mapping[str, Any]) -> tuple[FieldError, ...]:
    for name in _LISTS:
        listed = source.get(name)
        if isinstance(listed, Sequence) and not isinstance(listed, str):
            found = [_one(each) for each in listed if isinstance(each, Mapping)]
            return tuple(each for each in found if each.field)
    return ()


def _one(said: Mapping[str, Any]) -> FieldError:
    return FieldError(
        code=as_code(str(said.get("code") or said.get("type") or "INVALID")),
        field=_field(said) or "",
        constraint=_constraint(said) or _text(said, _MESSAGES) or None,
        received=_first(said, (*_RECEIVED, "input")),
        hint=_hint(said),
    )


def _field(said: Mapping[str, Any]) -> str | None:
    if isinstance(loc := said.get("loc"), Sequence) and not isinstance(loc, str):
        return ".".join(str(part) for part in loc if part not in {"body", "query", "path"}) or None
    value = _first(said, _FIELDS)
    return value.lstrip("#/$.").replace("/", ".") or None if isinstance(value, str) else None


def _constraint(said: Mapping[str, Any]) -> str | None:
    value = _first(said, _CONSTRAINTS)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "one of: " + ", ".join(str(each) for each in value)
    return None if value is None else str(value)


def _hint(said: Mapping[str, Any]) -> str | None:
    return value if isinstance(value := _first(said, ("hint", "suggestion")), str) else None


def _code(said: Mapping[str, Any]) -> str | None:
    value = _first(said, ("code", "error_code", "errorCode", "error"))
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _text(said: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        if isinstance(value := said.get(name), str) and value:
            return value[:500]
    return ""


def _first(said: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((said[name] for name in names if said.get(name) is not None), None)
