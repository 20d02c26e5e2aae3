"""An OpenAPI 3.1 document as frozen values in reading order: what to call, with what, and what comes back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

METHODS = ("get", "post", "put", "patch", "delete")
MOST_WORDS = 12


@dataclass(frozen=True, slots=True)
class FieldLine:
    """One field of a model: its type as JSON Schema says it in short, and the model it leads to, if any."""

    name: str
    type: str
    model: str
    required: bool
    told: str


@dataclass(frozen=True, slots=True)
class Model:
    """One named model; `words` where it is a closed list of them."""

    name: str
    told: str
    fields: tuple[FieldLine, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One status a call may answer with."""

    status: str
    model: str
    told: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one address."""

    method: str
    path: str
    id: str
    summary: str
    told: str
    parameters: tuple[FieldLine, ...]
    body: str
    answers: tuple[Answer, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The endpoints of one tag."""

    name: str
    endpoints: tuple[Endpoint, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole document."""

    chapters: tuple[Chapter, ...]
    models: tuple[Model, ...]


def read(document: Mapping[str, Any]) -> Reference:
    """Read an OpenAPI document; what it does not say stays blank."""
    chapters: dict[str, list[Endpoint]] = {}
    for path, methods in sorted(document.get("paths", {}).items()):
        for method in METHODS:
            if method in methods:
                endpoint = _endpoint(method, path, methods[method])
                chapters.setdefault((methods[method].get("tags") or ["Other"])[0], []).append(endpoint)
    models = document.get("components", {}).get("schemas", {})
    return Reference(
        chapters=tuple(Chapter(name, tuple(found)) for name, found in sorted(chapters.items())),
        models=tuple(_model(name, models[name]) for name in sorted(models)),
    )


def _endpoint(method: str, path: str, told: Mapping[str, Any]) -> Endpoint:
    return Endpoint(
        method=method.upper(),
        path=path,
        id=told.get("operationId", f"{method}-{path}"),
        summary=told.get("summary") or told.get("description", "").split("\n")[0],
        told=told.get("description", ""),
        parameters=tuple(_parameter(one) for one in told.get("parameters", ())),
        body=_content(told.get("requestBody", {})),
        answers=tuple(
            Answer(str(status), _content(one), one.get("description", ""))
            for status, one in sorted(told.get("responses", {}).items())
        ),
        keys=tuple(name for one in told.get("security", ()) for name in one),
    )


def _parameter(told: Mapping[str, Any]) -> FieldLine:
    schema = told.get("schema", {})
    words = f"{told.get('in', '')}. {told.get('description', '')}".strip(". ")
    return FieldLine(told["name"], _type(schema), "", bool(told.get("required")), words)


def _content(told: Mapping[str, Any]) -> str:
    for one in told.get("content", {}).values():
        return _reference(one.get("schema", {}))
    return ""


def _model(name: str, schema: Mapping[str, Any]) -> Model:
    required = set(schema.get("required", ()))
    fields = tuple(
        FieldLine(field, _type(one), _reference(one), field in required, one.get("description", ""))
        for field, one in schema.get("properties", {}).items()
    )
    return Model(name, schema.get("description", ""), fields, tuple(map(str, schema.get("enum", ()))))


def _reference(schema: Mapping[str, Any]) -> str:
    """Give the name of the model that a schema leads to, through lists, maps and alternatives."""
    return next(_references(schema), "")


def _references(schema: object) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        return
    if "$ref" in schema:
        yield str(schema["$ref"]).rpartition("/")[2]
    for key in ("items", "additionalProperties"):
        yield from _references(schema.get(key))
    for key in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(key, ()):
            yield from _references(one)


def _type(schema: Mapping[str, Any]) -> str:
    """Write a type in a few words: `string`, `[Attempt]`, `integer or null`, `"read" or "write"`."""
    if "$ref" in schema:
        return _reference(schema)
    if "const" in schema:
        return repr(schema["const"]).replace("'", '"')
    if "enum" in schema:
        return " or ".join(f'"{word}"' for word in schema["enum"][:MOST_WORDS])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[key]))
    match schema.get("type"):
        case "array":
            return f"[{_type(schema.get('items', {}))}]"
        case "object" if isinstance(schema.get("additionalProperties"), Mapping):
            return f"{{name: {_type(schema['additionalProperties'])}}}"
        case list() as several:
            return " or ".join(map(str, several))
        case str() as one:
            return f"{one} ({schema['format']})" if "format" in schema else one
        case _:
            return "any JSON"
