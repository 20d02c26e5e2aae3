"""What comes in, what goes out, and the one shape in which the service says no."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

Fields = dict[str, object]


@dataclass(frozen=True)
class FieldError:
    """One thing wrong with one field, said so that a model can repair it."""

    code: str
    field: str
    constraint: str
    received: object = None
    hint: str = ""


class Refused(Exception):
    """The service says no: a status, a stable code and, where a field is to blame, which and why."""

    def __init__(
        self, status: int, code: str, detail: str, *errors: FieldError, retry_after: int | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.errors = errors
        self.retry_after = retry_after

    def answer(self) -> "Answer":
        """The refusal as the HTTP answer."""
        errors = [vars(error) for error in self.errors]
        headers = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        return Answer(self.status, {"code": self.code, "detail": str(self), "errors": errors}, headers)


@dataclass(frozen=True)
class Answer:
    """A status, a JSON body (or text, for the gateway's own pages) and headers."""

    status: int
    body: object
    headers: Mapping[str, str] = field(default_factory=dict)

    def encoded(self) -> tuple[bytes, str]:
        """The body's bytes and its content type."""
        if isinstance(self.body, str):
            return self.body.encode(), "text/html; charset=utf-8"
        return json.dumps(self.body, ensure_ascii=False).encode(), "application/json"


@dataclass(frozen=True)
class Request:
    """One request, its path already matched; `args` is the query of a GET or DELETE, else the body."""

    at: datetime
    path: Mapping[str, str]
    args: Mapping[str, object]
    headers: Mapping[str, str]
    twist: str = ""

    @property
    def trip(self) -> str:
        """The booking request this belongs to, which carries the faults planned for it."""
        return self.headers.get("x-trip-id", "")

    @property
    def key(self) -> str:
        """The idempotency key every write must carry."""
        if key := self.headers.get("idempotency-key", ""):
            return key
        error = FieldError(
            "MISSING", "Idempotency-Key", "a key derived from the intended effect", None, "send the header"
        )
        raise Refused(400, "MISSING", "A write needs an Idempotency-Key header.", error)

    def only(self, *names: str) -> None:
        """Refuse fields that the operation does not have, all of them at once."""
        unknown = [name for name in self.args if name not in names]
        if unknown:
            allowed = ", ".join(names)
            errors = [
                FieldError("UNKNOWN_FIELD", name, f"one of {allowed}", name, f"leave out {name}")
                for name in unknown
            ]
            raise Refused(400, "UNKNOWN_FIELD", f"This operation has no field {', '.join(unknown)}.", *errors)

    def text(self, name: str, default: str | None = None) -> str:
        """A field that must be a non-empty string."""
        value = self.args.get(name, default)
        if isinstance(value, str) and (value or default == ""):
            return value
        code = "MISSING" if value is None else "TYPE"
        error = FieldError(code, name, "a non-empty string", value, f"send {name} as text")
        raise Refused(400, code, f"The field {name} must be a non-empty string.", error)

    def choice(self, name: str, allowed: Sequence[str], words: Mapping[str, str] | None = None) -> str:
        """A field with fixed words; `words` maps values people write to the one that is meant."""
        value = self.text(name)
        if value in allowed:
            return value
        meant = (words or {}).get(value, "")
        hint = f"use {meant}" if meant else ""
        error = FieldError("ENUM", name, f"one of {', '.join(allowed)}", value, hint)
        raise Refused(400, "ENUM", f"The value {value} of {name} is not one of {', '.join(allowed)}.", error)

    def whole(self, name: str, low: int, high: int) -> int:
        """A field that must be an integer from `low` to `high`."""
        value = self.args.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        error = FieldError(
            "RANGE", name, f"an integer, {low} to {high}", value, f"send {name} from {low} to {high}"
        )
        raise Refused(400, "RANGE", f"The field {name} must be an integer from {low} to {high}.", error)

    def money(self, name: str) -> int:
        """An amount written as `1840.00`, in hundredths."""
        value = self.args.get(name)
        whole, dot, part = value.partition(".") if isinstance(value, str) else ("", "", "")
        if (
            dot
            and whole.isascii()
            and whole.isdigit()
            and len(part) == 2
            and part.isascii()
            and part.isdigit()
        ):
            return int(whole) * 100 + int(part)
        error = FieldError("FORMAT", name, "an amount such as 1840.00", value, "two decimals, as a string")
        raise Refused(400, "FORMAT", f"The field {name} must be an amount such as 1840.00.", error)


def amount(hundredths: int) -> str:
    """Hundredths as the text that `Request.money` reads."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"
