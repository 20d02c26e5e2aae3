"""The one exception family that adapters are allowed to translate."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import ClassVar


class Kind(StrEnum):
    """What sort of "no" it is; only `kit.http` knows the status number of each."""

    INVALID = "invalid"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    MISSING = "missing"
    CONFLICT = "conflict"
    GONE = "gone"
    TOO_SLOW = "too_slow"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"
    TOO_MANY = "too_many"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with one field, in the shape that tools owe models as well."""

    code: str
    field: str | None = None
    constraint: str | None = None
    received: object = None
    hint: str | None = None


class Refused(Exception):
    """An expected "no". Its text is fit for an operator's screen and for an agent's log.

    `extra` joins the problem document beside `code`, `detail` and `errors` (the winner of a race, for example).
    `retry_after_s` becomes the Retry-After header.
    """

    kind: ClassVar[Kind] = Kind.CONFLICT
    code: ClassVar[str] = "REFUSED"

    def __init__(
        self,
        detail: str,
        *,
        errors: tuple[FieldError, ...] = (),
        extra: Mapping[str, object] | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = errors
        self.extra = dict(extra or {})
        self.retry_after_s = retry_after_s

    def document(self) -> dict[str, object]:
        """Give the problem document that every door of this console answers with."""
        errors = [asdict(error) for error in self.errors]
        return {"code": self.code, "detail": self.detail, "errors": errors, **self.extra}
