"""Arguments that are described by a JSON Schema instead of by Python: checked as far as a schema plainly says."""

import difflib
from collections.abc import Mapping
from typing import Any

from switchboard.arguments import Arguments, InvalidArguments, Signature
from switchboard.failure import FieldError, ToolError
from switchboard.vocabulary import Executed, FailureClass

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "object": (dict,), "array": (list,),
}  # fmt: skip


class OpenSchema(Signature):
    """Takes what the schema's top level allows: required, known, typed and enumerated fields."""

    def __init__(self, schema: Mapping[str, Any], *, context_name: str | None) -> None:
        self.schema = dict(schema)
        self.context_name = context_name
        self._properties: Mapping[str, Any] = schema.get("properties") or {}
        self._redact = frozenset()
        self.names: tuple[str, ...] = tuple(self._properties)

    def read(self, raw: Mapping[str, Any] | str | bytes) -> Arguments:
        """Check; raise InvalidArguments with all field errors at once."""
        given = self.parse(raw)
        errors = [*self._missing(given), *self._wrong(given)]
        if errors:
            first = errors[0]
            names = ", ".join(error.field for error in errors)
            error = ToolError(
                class_=FailureClass.INVALID_ARGS,
                code="INVALID_ARGS",
                message=f"The arguments do not fit the tool: {names}. Nothing was executed.",
                field=first.field,
                constraint=first.constraint,
                received=first.received,
                hint=first.hint,
                errors=tuple(errors),
                executed=Executed.NO,
            )
            raise InvalidArguments(error, given)
        return Arguments(given, given, given)

    def _missing(self, given: Mapping[str, Any]) -> list[FieldError]:
        absent = [name for name in self.schema.get("required", ()) if name not in given]
        return [FieldError("MISSING", name, "required", hint=f"Add {name}.") for name in absent]

    def _wrong(self, given: Mapping[str, Any]) -> list[FieldError]:
        found = []
        for name, value in given.items():
            said = self._properties.get(name)
            if said is None:
                if self._properties and self.schema.get("additionalProperties") is not True:
                    found.append(self._unknown(name, value))
            elif "enum" in said and value not in said["enum"]:
                allowed = "one of: " + ", ".join(map(str, said["enum"]))
                found.append(FieldError("NOT_ALLOWED", name, allowed, value, f"Change {name}: {allowed}."))
            elif (kind := _TYPES.get(str(said.get("type")))) and not _is(value, kind):
                found.append(
                    FieldError(
                        "WRONG_TYPE", name, str(said["type"]), value, f"Change {name}: {said['type']}."
                    )
                )
        return found

    def _unknown(self, name: str, value: Any) -> FieldError:
        near = difflib.get_close_matches(name, self.names, n=1)
        hint = (
            f"Use {near[0]} instead of {name}."
            if near
            else f"Leave {name} out; known: {', '.join(self.names)}."
        )
        return FieldError("UNKNOWN_FIELD", name, "no such argument", value, hint)


def _is(value: Any, kind: tuple[type, ...]) -> bool:
    return isinstance(value, kind) and (not isinstance(value, bool) or bool in kind)
