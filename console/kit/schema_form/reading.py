"""The value read back from what was typed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from console.kit.clean import SAFE_INTEGER
from console.kit.schema_form.kinds import Schema
from console.kit.schema_form.shape import ABSENT, JSON_MODE, MODE, Field, Typed, build


@dataclass(slots=True)
class Reading:
    """A value, and what of the typed text could not be understood: field name → sentence."""

    value: Any
    errors: dict[str, str] = field(default_factory=dict)


class NotUnderstood(ValueError):
    """The text in a field is none of what the field holds."""


def read(schema: Schema | None, value: object, *, prefix: str, typed: Typed) -> Reading:
    """Give the value as typed. Without a schema, or where the person chose so, it was typed as JSON.

    A place whose text was not changed keeps its original value exactly, and so does a place without a field.
    """
    mode = (typed.get(prefix + MODE) or ["form" if schema else "json"])[-1]
    if mode == "json" or schema is None:
        return _raw(value, prefix, typed)
    reading = Reading(value)
    found = _value(build(schema, value, prefix=prefix, typed=typed), reading)
    reading.value = value if found is ABSENT else found
    return reading


def _raw(value: object, prefix: str, typed: Typed) -> Reading:
    name = prefix + JSON_MODE
    if name not in typed:
        return Reading(value)
    try:
        return Reading(_json(typed[name][-1]))
    except NotUnderstood as exc:
        return Reading(value, {name: str(exc)})


def _value(one: Field, reading: Reading) -> Any:
    """Give what a field holds, or ABSENT; a fault keeps the original and is noted."""
    if one.kind.name == "group":
        return _object(one, reading)
    if one.kind.name == "list":
        return _items(one, reading)
    if not one.changed or one.kind.name in {"fixed", "ref"}:
        return one.was
    if one.kind.name == "bool":
        return _bool(one)
    if one.shown == "" and (one.absent or one.kind.name not in {"text", "area"} or not one.required):
        return None if one.kind.nullable and one.required else ABSENT
    try:
        return READERS[one.kind.name](one.shown)
    except NotUnderstood as exc:
        reading.errors[one.name] = str(exc)
        return one.was


def _bool(one: Field) -> Any:
    if one.absent:
        return ABSENT if one.shown == "" else one.shown == "true"
    return one.checked


def _object(one: Field, reading: Reading) -> Any:
    if not one.checked:
        return ABSENT
    before: Mapping[str, Any] = one.was if isinstance(one.was, Mapping) else {}
    known = {str(each.path[-1]): each for each in one.fields}
    after: dict[str, Any] = {}
    for key in [*before, *(key for key in known if key not in before)]:
        found = _value(known[key], reading) if key in known else before[key]
        if found is not ABSENT:
            after[key] = found
    return ABSENT if one.absent and not after and not one.required else after


def _items(one: Field, reading: Reading) -> Any:
    kept = [_value(each, reading) for each in one.fields]
    beyond = one.was[len(one.fields) :] if isinstance(one.was, list) else []
    after = [each for each in kept if each is not ABSENT] + list(beyond)
    return ABSENT if one.absent and not after else after


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as exc:
        raise NotUnderstood(_("Nested too deeply.")) from exc
    except json.JSONDecodeError as exc:
        where = {"line": exc.lineno, "column": exc.colno}
        raise NotUnderstood(_("Not JSON: look at line %(line)s, column %(column)s.") % where) from exc


def _no_constant(word: str) -> Any:
    raise NotUnderstood(_("%(word)s is not JSON.") % {"word": word})


def _integer(text: str) -> int:
    try:
        number = int(text.strip())
    except ValueError as exc:
        raise NotUnderstood(_("“%(text)s” is not a whole number.") % {"text": text[:60]}) from exc
    if abs(number) > SAFE_INTEGER:
        raise NotUnderstood(_("Beyond ±2^53 a number changes on its way; this tool should take it as text."))
    return number


def _number(text: str) -> float:
    try:
        found = json.loads(text.strip(), parse_constant=_no_constant)
    except ValueError as exc:
        raise NotUnderstood(_("“%(text)s” is not a number.") % {"text": text[:60]}) from exc
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise NotUnderstood(_("“%(text)s” is not a number.") % {"text": text[:60]})
    return _integer(text) if isinstance(found, int) else found


def _date(text: str) -> str:
    try:
        date.fromisoformat(text.strip())
    except ValueError as exc:
        raise NotUnderstood(_("“%(text)s” is not a date like 2026-12-31.") % {"text": text[:60]}) from exc
    return text.strip()


READERS: dict[str, Callable[[str], Any]] = {
    "text": str,
    "area": str,
    "date": _date,
    "integer": _integer,
    "number": _number,
    "choice": _json,
    "json": _json,
}
