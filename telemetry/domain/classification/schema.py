"""Checks a call's arguments against its schema as far as classification needs it: unknown, missing, wrong type, enum."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from telemetry.domain.classification.plain import MISSING, clip, mapping, number, some

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
    "null": (type(None),),
}
_DATE = re.compile(r"^\d{4}-\d\d-\d\d$")


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which the arguments break the schema."""

    field: str
    constraint: str
    received: Any = MISSING
    unknown: bool = False


def first_violation(args: object, schema: object) -> Violation | None:
    """The first violation, or None where the arguments fit as far as this looks."""
    known = mapping(schema)
    given = mapping(args)
    if known is None or given is None:
        return None
    properties = mapping(known.get("properties")) or {}
    required = known.get("required")
    for name in some(required if isinstance(required, list | tuple) else (), 100):
        if isinstance(name, str) and name not in given:
            return Violation(name, "required")
    for name, value in some(given.items(), 100):
        rule = mapping(properties.get(name))
        if rule is None:
            if (
                properties
                and known.get("additionalProperties") is False
                and not mapping(known.get("patternProperties"))
            ):
                return Violation(str(name)[:200], "not in the schema", value, unknown=True)
            continue
        if constraint := _broken(value, rule):
            return Violation(str(name)[:200], constraint, value)
    return None


def unknown_keys(args: object, schema: object) -> list[str]:
    """Keys of the arguments that the schema does not have, whether or not it forbids them."""
    properties = mapping((mapping(schema) or {}).get("properties"))
    given = mapping(args)
    if not properties or given is None or mapping((mapping(schema) or {}).get("patternProperties")):
        return []
    return [str(name)[:200] for name in some(given, 100) if name not in properties]


def _broken(value: object, rule: Mapping[str, Any]) -> str | None:
    kinds = rule.get("type")
    names = [
        kind
        for kind in (kinds if isinstance(kinds, list) else [kinds])
        if isinstance(kind, str) and kind in TYPES
    ]
    if names and not any(_is_a(value, kind) for kind in names):
        return "type " + " or ".join(names)
    options = rule.get("enum")
    if isinstance(options, list) and len(options) <= 200 and value not in options:
        return "one of " + ", ".join(clip(option, 60) for option in options[:20])
    amount = number(value) if not isinstance(value, str) else None
    for bound, wrong in (("minimum", -1), ("maximum", 1), ("exclusiveMinimum", -1), ("exclusiveMaximum", 1)):
        limit = number(rule.get(bound)) if not isinstance(rule.get(bound), bool) else None
        if (
            amount is not None
            and limit is not None
            and ((amount - limit) * wrong > 0 or ("exclusive" in bound and amount == limit))
        ):
            return f"{bound} {limit:g}"
    if isinstance(value, str):
        shortest, longest = number(rule.get("minLength")), number(rule.get("maxLength"))
        if shortest is not None and len(value) < shortest:
            return f"minLength {shortest:g}"
        if longest is not None and len(value) > longest:
            return f"maxLength {longest:g}"
        if rule.get("format") == "date" and not _DATE.match(value[:20]):
            return "format date"
    return None


def _is_a(value: object, kind: str) -> bool:
    if kind in {"integer", "number"}:
        whole = kind == "number" or (
            isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        )
        return isinstance(value, int | float) and not isinstance(value, bool) and whole
    return isinstance(value, TYPES[kind])
