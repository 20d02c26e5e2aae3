"""A tool's arguments: the model they must fit, and what is said when they do not."""

import difflib
import inspect
import json
import typing
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, SecretBytes, SecretStr, ValidationError, create_model
from pydantic_core import ErrorDetails, to_jsonable_python

from switchboard.failure import FieldError, ToolError, as_code
from switchboard.vocabulary import Executed, FailureClass

Raw = Mapping[str, Any] | str | bytes  # a model's arguments may come as JSON text
REDACTED = "[redacted]"
_LONGEST = 200  # characters of a received value that are repeated

_CODES = {
    "missing": "MISSING",
    "extra_forbidden": "UNKNOWN_FIELD",
    "literal_error": "NOT_ALLOWED",
    "enum": "NOT_ALLOWED",
    "string_pattern_mismatch": "WRONG_FORMAT",
    "value_error": "INVALID",
    "assertion_error": "INVALID",
}
# How the validator opens its sentences; a constraint says only what comes after.
_OPENINGS = ("Value error, ", "Assertion failed, ", "Input should be ", "String should have ")
_RANGES = {"greater_than": ">", "greater_than_equal": ">=", "less_than": "<", "less_than_equal": "<="}
_LIMITS = {"greater_than": "gt", "greater_than_equal": "ge", "less_than": "lt", "less_than_equal": "le"}


class Arguments(NamedTuple):
    """Valid arguments: as the function takes them, as JSON data, and as JSON data anybody may see."""

    values: Mapping[str, Any]
    plain: Mapping[str, Any]
    shown: Mapping[str, Any]


class InvalidArguments(Exception):
    """The call breaks the tool's schema; every wrong field is in `error.errors`."""

    def __init__(self, error: ToolError, args: dict[str, Any]) -> None:
        self.error = error
        self.shown = args
        super().__init__(error.message)


class Signature:
    """What a function takes, read once from its annotations.

    One parameter annotated with a pydantic model is that model; otherwise a model is made of all parameters. The
    parameter annotated with `context` (the kit's own) is left out: no model can see or set it.
    """

    def __init__(self, function: Callable[..., Any], *, context: type, redact: frozenset[str]) -> None:
        hints = typing.get_type_hints(function, include_extras=True)
        parameters = [
            each
            for each in inspect.signature(function).parameters.values()
            if each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD}
        ]
        self.context_name: str | None = next(
            (p.name for p in parameters if hints.get(p.name) is context), None
        )
        rest = [p for p in parameters if p.name != self.context_name]
        self._single = _single_model(rest, hints)
        self.model: type[BaseModel] = (
            _closed(self._single[1]) if self._single else _made(function.__name__, rest, hints)
        )
        self._redact = redact | _secret_paths(self.model)
        self.names: tuple[str, ...] = tuple(self.model.model_fields)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments, as a model is given it."""
        return self.model.model_json_schema()

    def read(self, raw: Raw) -> Arguments:
        """Validate; raise InvalidArguments with all field errors at once."""
        given = self.parse(raw)
        try:
            # What model_validate and model_dump do, without their detours, which cost as much as the work.
            model = self.model.__pydantic_validator__.validate_python(given)
        except ValidationError as exc:
            raise InvalidArguments(self.explain(exc, given), self.show(given)) from None
        if self._redact:
            plain = _revealed(model)
            shown = self.show(plain)
        else:
            plain = shown = self.model.__pydantic_serializer__.to_python(model, mode="json")
        if self._single:
            return Arguments({self._single[0]: model}, plain, shown)
        return Arguments(model.__dict__, plain, shown)

    def parse(self, raw: Raw) -> dict[str, Any]:
        """A model's arguments may come as JSON text."""
        if type(raw) is dict:
            return raw.copy()
        if isinstance(raw, str | bytes):
            try:
                raw = json.loads(raw or "{}")
            except (ValueError, RecursionError):
                raise InvalidArguments(_not_an_object("NOT_JSON"), {}) from None
        if not isinstance(raw, Mapping):
            raise InvalidArguments(_not_an_object("NOT_AN_OBJECT"), {})
        return dict(raw)

    def show(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The same arguments with every secret replaced."""
        shown = _hidden(given, self._redact, ())
        return shown if isinstance(shown, dict) else {}

    def explain(self, exc: ValidationError, given: Mapping[str, Any]) -> ToolError:
        """One error for the call, one entry for each wrong field."""
        found = exc.errors(include_input=False, include_url=False)
        errors = tuple(self._field_error(each, given) for each in found)
        first = errors[0]
        names = ", ".join(dict.fromkeys(error.field for error in errors))
        return ToolError(
            class_=FailureClass.INVALID_ARGS,
            code="INVALID_ARGS",
            message=f"The arguments do not fit the tool: {names}. Nothing was executed.",
            field=first.field,
            constraint=first.constraint,
            received=first.received,
            hint=first.hint,
            errors=errors,
            executed=Executed.NO,
        )

    def _field_error(self, said: ErrorDetails, given: Mapping[str, Any]) -> FieldError:
        field = ".".join(str(part) for part in said["loc"]) or "(arguments)"
        secret = _path(said["loc"]) & self._redact
        kind, context = said["type"], said.get("ctx", {})
        code = _CODES.get(kind) or ("OUT_OF_RANGE" if kind in _RANGES else as_code(kind))
        if kind.endswith(("_type", "_parsing")):
            code = "WRONG_TYPE"
        constraint = "(not shown)" if secret else _constraint(kind, context, said["msg"])
        received = None if kind == "missing" else _clipped(REDACTED if secret else _at(given, said["loc"]))
        return FieldError(code, field, constraint, received, self._hint(kind, field, constraint))

    def _hint(self, kind: str, field: str, constraint: str) -> str:
        if kind == "missing":
            return f"Add {field}."
        if kind == "extra_forbidden":
            near = difflib.get_close_matches(field, self.names, n=1)
            return (
                f"Use {near[0]} instead of {field}."
                if near
                else f"Leave {field} out; known: {', '.join(self.names)}."
            )
        return f"Change {field}: {constraint}."


def _single_model(
    parameters: list[inspect.Parameter], hints: Mapping[str, Any]
) -> tuple[str, type[BaseModel]] | None:
    if len(parameters) != 1:
        return None
    kind = hints.get(parameters[0].name)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return parameters[0].name, kind
    return None


def _closed(model: type[BaseModel]) -> type[BaseModel]:
    """An invented argument must not be dropped in silence; an author who allowed extras meant it."""
    if "extra" in model.model_config:
        return model
    return type(
        model.__name__, (model,), {"model_config": ConfigDict(extra="forbid"), "__module__": model.__module__}
    )


def _made(name: str, parameters: list[inspect.Parameter], hints: Mapping[str, Any]) -> type[BaseModel]:
    fields: dict[str, Any] = {
        p.name: (hints.get(p.name, Any), ... if p.default is inspect.Parameter.empty else p.default)
        for p in parameters
    }
    config = ConfigDict(extra="forbid", str_strip_whitespace=True)
    return create_model(f"{name}_arguments", __config__=config, **fields)


def _secret_paths(model: type[BaseModel], before: tuple[str, ...] = ()) -> frozenset[str]:
    found: set[str] = set()
    for name, info in model.model_fields.items():
        path = (*before, name)
        for kind in (info.annotation, *typing.get_args(info.annotation)):
            if kind in {SecretStr, SecretBytes}:
                found.add(".".join(path))
            elif isinstance(kind, type) and issubclass(kind, BaseModel) and len(path) < 8:
                found |= _secret_paths(kind, path)
    return frozenset(found)


def _path(loc: tuple[int | str, ...]) -> frozenset[str]:
    names = [str(part) for part in loc if not isinstance(part, int)]
    return frozenset(".".join(names[: i + 1]) for i in range(len(names)))


def _hidden(value: Any, secret: frozenset[str], at: tuple[str, ...]) -> Any:
    if at and ".".join(at) in secret:
        return REDACTED
    if isinstance(value, Mapping):
        return {str(name): _hidden(each, secret, (*at, str(name))) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_hidden(each, secret, at) for each in value]
    return to_jsonable_python(value, fallback=str)


def _revealed(model: BaseModel) -> dict[str, Any]:
    def reveal(value: Any) -> Any:
        if isinstance(value, SecretStr):
            return value.get_secret_value()
        if isinstance(value, SecretBytes):
            return value.get_secret_value().decode(errors="replace")
        if isinstance(value, Mapping):
            return {str(name): reveal(each) for name, each in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [reveal(each) for each in value]
        return to_jsonable_python(value, fallback=str)

    return {name: reveal(value) for name, value in model.model_dump().items()}


def _constraint(kind: str, context: Mapping[str, Any], message: str) -> str:
    if kind == "missing":
        return "required"
    if kind == "extra_forbidden":
        return "no such argument"
    if kind in _RANGES:
        return f"{_RANGES[kind]} {context[_LIMITS[kind]]}"
    if kind in {"literal_error", "enum"}:
        return f"one of: {context['expected']}"
    if kind == "string_pattern_mismatch":
        return f"pattern {context['pattern']}"
    for opening in _OPENINGS:
        message = message.removeprefix(opening)
    return message.partition(", ")[0] if kind.endswith("_parsing") else message


def _at(given: Any, loc: tuple[int | str, ...]) -> Any:
    """The value at `loc`; the last thing found where the path names a variant of a union instead of a key."""
    for part in loc:
        inside = (
            given if isinstance(given, Mapping) else dict(enumerate(given)) if isinstance(given, list) else {}
        )
        given = inside.get(part, given)
    return given


def _clipped(value: Any) -> Any:
    plain = to_jsonable_python(value, fallback=str)
    if plain is None or isinstance(plain, bool | int | float):
        return plain
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    if len(text) <= _LONGEST:
        return plain
    return text[: _LONGEST - 1] + "…"


def _not_an_object(code: str) -> ToolError:
    return ToolError(
        class_=FailureClass.INVALID_ARGS,
        code=code,
        message="The arguments are not a JSON object. Nothing was executed.",
        field="(arguments)",
        constraint="a JSON object",
        hint="Send one JSON object with the tool's arguments.",
        executed=Executed.NO,
    )
