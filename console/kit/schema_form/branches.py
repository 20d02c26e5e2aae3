"""Which branch of `oneOf` or `anyOf` a form shows: the one that the value is of, or one list of all that may stand there."""

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]
MOST_VALUES = 60
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": Mapping,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def settled(schema: Schema, branches: Sequence[Schema], value: object) -> Schema | None:
    """Give what a place may hold without its branches, None where the value does not say which of them is meant."""
    found = _listed(branches) or (_only(branches, value) if value is not None else None)
    if found is None:
        return None
    outer = {key: each for key, each in schema.items() if key not in {"anyOf", "oneOf"}}
    both = {**outer, **found}
    return (
        {
            **both,
            "properties": {**_properties(outer), **_properties(found)},
            "required": [*_required(outer), *_required(found)],
        }
        if _properties(both)
        else both
    )


def _properties(schema: Schema) -> Schema:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _required(schema: Schema) -> list[str]:
    found = schema.get("required")
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _listed(branches: Sequence[Schema]) -> Schema | None:
    """Give one choice of all values where every branch names its own, with what each is called."""
    values: list[Any] = []
    names: list[str] = []
    for branch in branches:
        own = _values(branch)
        if own is None:
            return None
        values += own
        title = branch.get("title")
        names += [title if isinstance(title, str) and len(own) == 1 else ""] * len(own)
    return {"enum": values, "enumNames": names} if 0 < len(values) <= MOST_VALUES else None


def _values(branch: Schema) -> list[Any] | None:
    if "const" in branch:
        return [branch["const"]]
    if isinstance(branch.get("enum"), list):
        return list(branch["enum"])
    return [True, False] if branch.get("type") == "boolean" else None


def _only(branches: Sequence[Schema], value: object) -> Schema | None:
    fitting = [branch for branch in branches if _fits(branch, value)]
    return fitting[0] if len(fitting) == 1 else None


def _fits(branch: Schema, value: object) -> bool:
    """Say whether a value can be of a branch, by its type and its keys; the server judges the rest."""
    kind = branch.get("type")
    if isinstance(kind, str) and not _is(kind, value):
        return False
    if not isinstance(value, Mapping):
        own = _values(branch)
        return kind is not None or (own is not None and value in own)
    known = _properties(branch)
    if any(key not in value for key in _required(branch)):
        return False
    if branch.get("additionalProperties") is False and any(key not in known for key in value):
        return False
    return all(_may_be(known[key], each) for key, each in value.items() if key in known)


def _is(kind: str, value: object) -> bool:
    if isinstance(value, bool) and kind in {"integer", "number"}:
        return False
    return isinstance(value, TYPES.get(kind, object))


def _may_be(schema: object, value: object) -> bool:
    if not isinstance(schema, Mapping):
        return True
    own = _values(schema)
    if own is not None:
        return value in own
    kind = schema.get("type")
    return not isinstance(kind, str) or _is(kind, value)
