"""Arguments and answers against JSON Schema, with errors in the shape that every refusal here has."""

import json
from collections.abc import Iterator, Mapping

import jsonschema_rs

from console.kit.clean import clean
from console.kit.refusal import FieldError

# Schemas come from agents: nothing is fetched from anywhere, and no pattern may run for ever.
PATTERNS = jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000, size_limit=1 << 20)
MOST_ERRORS = 50
COMBINING = frozenset({"oneOf", "anyOf", "allOf", "not", "if"})
HINTS = {
    "required": "Add the field.",
    "additionalProperties": "Remove the field, or check its spelling.",
    "enum": "Choose one of the values.",
    "type": "Send a value of that type.",
}
Path = tuple[str | int, ...]


def fault_of_schema(schema: object) -> str | None:
    """Say what is wrong with a schema, or None."""
    try:
        json.dumps(schema, allow_nan=False)  # the validator would take NaN, no JSON column does
        _validator(schema)
    except (ValueError, TypeError, RecursionError) as exc:
        return str(exc)[:300]
    return None


def errors_of(schema: Mapping[str, object], value: object, *, prefix: str = "") -> tuple[FieldError, ...]:
    """Say what is wrong with a value, field by field.

    Redacted values (`{"$ref": id}`) stand for something only the agent can see: what the schema says about them is
    left to the agent.
    """
    hidden = tuple(refs(value))
    found: list[FieldError] = []
    for error in _validator(schema).iter_errors(value):
        path = tuple(error.instance_path)
        if not _about_hidden(path, error.kind.name, hidden):
            found += _field_errors(error, path, prefix)
        if len(found) >= MOST_ERRORS:
            break
    return tuple(found)


def refs(value: object, path: Path = ()) -> Iterator[Path]:
    """Give the paths of the redacted values inside a value."""
    if is_ref(value):
        yield path
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from refs(inner, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from refs(inner, (*path, index))


def is_ref(value: object) -> bool:
    """Say whether a value is a redacted one: exactly `{"$ref": "…"}`."""
    return isinstance(value, Mapping) and set(value) == {"$ref"} and isinstance(value["$ref"], str)


def ref_map(value: object) -> dict[Path, object]:
    """Give what each redacted value refers to, by its path."""
    return {path: _at(value, path) for path in refs(value)}


def dotted(path: Path, prefix: str = "") -> str:
    """Write a path as people read it."""
    return ".".join([*([prefix] if prefix else []), *(str(part) for part in path)])


def _validator(schema: object) -> jsonschema_rs.Validator:
    if not isinstance(schema, Mapping):
        raise TypeError("a schema is a JSON object")
    return jsonschema_rs.validator_for(dict(schema), offline=True, pattern_options=PATTERNS)


def _at(value: object, path: Path) -> object:
    for part in path:
        value = value[part]  # type: ignore[index]  # the path was found by walking this very value
    return value


def _about_hidden(path: Path, keyword: str, hidden: tuple[Path, ...]) -> bool:
    below = any(path[: len(ref)] == ref for ref in hidden)
    around = keyword in COMBINING and any(ref[: len(path)] == path for ref in hidden)
    return below or around


def _field_errors(error: jsonschema_rs.ValidationError, path: Path, prefix: str) -> list[FieldError]:
    keyword, told = error.kind.name, error.kind.as_dict()
    code = "".join(f"_{c}" if c.isupper() else c for c in keyword).upper()
    constraint, hint = error.message[:500], HINTS.get(keyword)
    if keyword == "required":
        missing = (*path, str(told.get("property", "")))
        return [FieldError(code, dotted(missing, prefix), constraint, None, hint)]
    if keyword == "additionalProperties" and isinstance(error.instance, dict):
        extra = [str(name) for name in told.get("unexpected", ())]
        return [
            FieldError(
                code, dotted((*path, name), prefix), constraint, _short(error.instance.get(name)), hint
            )
            for name in extra
        ]
    return [FieldError(code, dotted(path, prefix) or None, constraint, _short(error.instance), hint)]


def _short(value: object) -> object:
    if isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    return clean(value, text_limit=200).value
