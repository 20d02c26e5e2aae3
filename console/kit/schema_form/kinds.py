"""Which kind of field a schema and a value call for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from console.kit.schema_form.branches import settled

LONG_TEXT = 90
MOST_REFS = 8
SCALARS = {"string": "text", "integer": "integer", "number": "number", "boolean": "bool"}
Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a field is, and what of its schema it needs; `nullable` when null is one of its values."""

    name: str  # group | list | choice | text | area | date | integer | number | bool | fixed | ref | json
    schema: Schema = field(default_factory=dict)
    nullable: bool = False


def is_ref(value: object) -> bool:
    """Say whether a value is a reference that only its owner can resolve."""
    return isinstance(value, Mapping) and set(value) == {"$ref"}


def kind_of(schema: object, value: object, root: Schema) -> Kind:
    """Choose the field for one place. A value that does not fit its schema is shown as it stands."""
    plain, nullable = _without_null(resolve(schema, root), root)
    plain, optional = _settled(plain, value, root)
    nullable = nullable or optional
    if is_ref(value):
        return Kind("ref", plain)
    if "const" in plain or plain.get("readOnly") is True:
        return Kind("fixed", plain)
    if isinstance(plain.get("enum"), list):
        return Kind("choice", plain, nullable)
    return Kind(_by_type(plain, value, root), plain, nullable)


def resolve(schema: object, root: Schema) -> Schema:
    """Follow `$ref` inside the same document; anything else that is no object allows everything."""
    for _ in range(MOST_REFS):
        if not isinstance(schema, Mapping):
            return {}
        target = schema.get("$ref")
        if not isinstance(target, str):
            return schema
        schema = _pointed(root, target)
    return {}


def _pointed(root: Schema, target: str) -> object:
    if not target.startswith("#"):
        return {}
    place: object = root
    for part in filter(None, target[1:].split("/")):
        key = part.replace("~1", "/").replace("~0", "~")
        place = place.get(key) if isinstance(place, Mapping) else None
    return place


def _without_null(schema: Schema, root: Schema) -> tuple[Schema, bool]:
    """Give the schema without its null, and whether it had one."""
    kind = schema.get("type")
    if isinstance(kind, list):
        rest = [each for each in kind if each != "null"]
        return {**schema, "type": rest[0] if len(rest) == 1 else rest}, len(rest) < len(kind)
    for word in ("anyOf", "oneOf"):
        branches = schema.get(word)
        if isinstance(branches, list):
            rest = [
                branch
                for branch in (resolve(each, root) for each in branches)
                if branch.get("type") != "null"
            ]
            if len(rest) == 1:
                outer = {key: one for key, one in schema.items() if key != word}
                return {**outer, **rest[0]}, len(rest) < len(branches)
    return schema, False


def _settled(schema: Schema, value: object, root: Schema) -> tuple[Schema, bool]:
    """Give the schema with the branch that is meant, where one is, and whether null is a branch of it."""
    for word in ("anyOf", "oneOf"):
        found = schema.get(word)
        if isinstance(found, list) and not is_ref(value):
            branches = [resolve(each, root) for each in found]
            rest = [branch for branch in branches if branch.get("type") != "null"]
            if (one := settled(schema, rest, value)) is not None:
                return one, len(rest) < len(branches)
    return schema, False


def _by_type(schema: Schema, value: object, root: Schema) -> str:
    kind = schema.get("type")
    if any(word in schema for word in ("anyOf", "oneOf", "allOf", "not", "if")):
        return "json"
    if kind == "object" or (kind is None and isinstance(schema.get("properties"), Mapping)):
        fits = value is None or isinstance(value, Mapping)
        return "group" if fits and isinstance(schema.get("properties"), Mapping) else "json"
    if kind == "array":
        return _list_or_json(schema, value, root)
    if kind not in SCALARS or isinstance(value, Mapping | list):
        return "json"
    if kind == "boolean":
        return "bool" if value is None or isinstance(value, bool) else "json"
    return _text(schema, value) if kind == "string" else SCALARS[kind]


def _list_or_json(schema: Schema, value: object, root: Schema) -> str:
    inner = kind_of(schema.get("items"), None, root).name
    fits = value is None or (isinstance(value, list) and not any(is_ref(item) for item in value))
    return "list" if fits and inner not in {"json", "list", "fixed", "bool"} else "json"


def _text(schema: Schema, value: object) -> str:
    if schema.get("format") == "date":
        return "date"
    long = isinstance(value, str) and ("\n" in value or len(value) > LONG_TEXT)
    roomy = isinstance(schema.get("maxLength"), int) and schema["maxLength"] > 400
    return "area" if long or roomy else "text"
