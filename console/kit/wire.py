"""Bytes to models and back: what comes in is strict and closed, what goes out is promised."""

from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    ValidationError,
)
from pydantic_core import CoreSchema, core_schema

from console.kit.clean import clean
from console.kit.refusal import FieldError, Kind, Refused

RECEIVED_LIMIT = 200
T = TypeVar("T")


class FromText:
    """Says that a value is read from text and from nothing else, whoever has parsed the JSON around it."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Ask for text, then for what it says."""
        return core_schema.chain_schema([core_schema.str_schema(strict=True), handler(source)])

    def __get_pydantic_json_schema__(
        self, schema: core_schema.ChainSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describe what the text says."""
        return handler(schema["steps"][-1])


# What strict models take from bytes alone; written so, they take the same from JSON that is parsed already.
Moment = Annotated[AwareDatetime, Strict(strict=False), FromText()]
Word = Annotated[T, Strict(strict=False)]  # of an enumeration of texts


class Malformed(Refused):
    """The body does not match the contract; every field that is wrong is named."""

    kind, code = Kind.INVALID, "MALFORMED"


class Inbound(BaseModel):
    """Bytes from outside: unknown keys are an error, nothing is coerced."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @classmethod
    def read(cls, body: bytes) -> Self:
        """Parse JSON bytes, or refuse with one error per field."""
        try:
            return cls.model_validate_json(body)
        except ValidationError as exc:
            raise Malformed(
                "The request body does not match the contract.", errors=field_errors(exc)
            ) from exc


class Outbound(BaseModel):
    """Bytes we promise. A failure to build one is our bug, so it stays a 500."""

    model_config = ConfigDict(from_attributes=True, frozen=True)


class Problem(Outbound):
    """How every refusal here is told, by every door. Some carry further fields, such as the winner of a race."""

    code: str
    detail: str
    errors: list[FieldError] = []


def field_errors(exc: ValidationError) -> tuple[FieldError, ...]:
    """Translate pydantic's list into the shape that every refusal here has."""
    return tuple(
        FieldError(
            code=str(error["type"]).upper().replace(".", "_"),
            field=".".join(str(part) for part in error["loc"]) or None,
            constraint=error["msg"],
            received=_short(error.get("input")),
            hint=HINTS.get(str(error["type"])),
        )
        for error in exc.errors(include_url=False, include_context=False)
    )


HINTS = {
    "missing": "Add the field.",
    "extra_forbidden": "Remove the field, or check its spelling.",
    "json_invalid": "Send valid JSON in UTF-8.",
    "string_type": "Send a JSON string.",
    "timezone_aware": "Send RFC 3339 with an offset, such as 2026-11-30T14:06:31+00:00.",
    "datetime_from_date_parsing": "Send RFC 3339 with an offset, such as 2026-11-30T14:06:31+00:00.",
}


def _short(value: object) -> object:
    """Repeat the value, but never a whole document or a secret-sized blob."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    return clean(value, text_limit=RECEIVED_LIMIT).value
