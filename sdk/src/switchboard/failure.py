"""What went wrong, as one value: words for the model, facts for the engineer, kept apart."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from switchboard.vocabulary import Executed, FailureClass

_NOT_CODE = re.compile(r"[^A-Z0-9]+")
_CODE_LENGTH = 63  # AIP-193


def as_code(text: str) -> str:
    """UPPER_SNAKE, at most 63 characters; `OTHER` when nothing usable is left."""
    return _NOT_CODE.sub("_", text.upper()).strip("_")[:_CODE_LENGTH].strip("_") or "OTHER"


@dataclass(frozen=True, slots=True)
class FieldError:
    """One argument that is wrong, and how to put it right."""

    code: str
    field: str
    constraint: str | None = None
    received: Any = None
    hint: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """What a model may see."""
        words = {"code": self.code, "field": self.field, "constraint": self.constraint}
        rest = {"received": self.received, "hint": self.hint}
        return {name: value for name, value in (words | rest).items() if value is not None}


@dataclass(frozen=True, slots=True)
class ToolError:
    """Why a call did not simply succeed.

    `message` and `hint` may be shown to a model or a user. `detail` and `evidence` are for engineers and go to the
    console only. `executed` says whether anything was touched. `retry_after_s` is what the service asked for.
    """

    class_: FailureClass
    code: str
    message: str = ""
    field: str | None = None
    constraint: str | None = None
    received: Any = None
    hint: str | None = None
    errors: tuple[FieldError, ...] = ()
    executed: Executed = Executed.UNKNOWN
    retryable: bool = False
    retry_after_s: float | None = None
    http_status: int | None = None
    detail: str | None = None
    evidence: Mapping[str, Any] | None = None
    suppressed: tuple[str, ...] = ()
    counts_for_breaker: bool = False

    def as_dict(self) -> dict[str, Any]:
        """What a model may see."""
        words: dict[str, Any] = {
            "class": self.class_.value,
            "code": self.code,
            "message": self.message or None,
            "field": self.field,
            "constraint": self.constraint,
            "received": self.received,
            "hint": self.hint,
            "retry_after_s": None if self.retry_after_s is None else math.ceil(self.retry_after_s * 10) / 10,
            "errors": [each.as_dict() for each in self.errors] or None,
        }
        seen = {name: value for name, value in words.items() if value is not None}
        return seen | {"executed": self.executed.value, "retryable": self.retryable}


def unknown_tool(name: str, near: Sequence[str], known: Sequence[str]) -> ToolError:
    """There is no tool of this name; `near` are those it may have meant."""
    names = ", ".join(near or known[:10])
    return ToolError(
        class_=FailureClass.INVALID_ARGS,
        code="UNKNOWN_TOOL",
        message=f"There is no tool {name[:200]!r}. Nothing was executed.",
        field="tool",
        constraint=f"one of: {names}",
        received=name[:200],
        hint=f"Use {near[0]}." if near else f"Use one of: {names}.",
        executed=Executed.NO,
    )


class ToolFailure(Exception):
    """Raised inside a tool to say exactly what went wrong."""

    def __init__(
        self,
        class_: FailureClass | str,
        code: str,
        message: str = "",
        *,
        field: str | None = None,
        constraint: str | None = None,
        received: Any = None,
        hint: str | None = None,
        executed: Executed | str = Executed.NO,
        retry_after_s: float | None = None,
        errors: Sequence[FieldError] = (),
    ) -> None:
        self.error: ToolError = ToolError(
            class_=FailureClass(class_),
            code=as_code(code),
            message=message,
            field=field,
            constraint=constraint,
            received=received,
            hint=hint,
            executed=Executed(executed),
            retry_after_s=retry_after_s,
            errors=tuple(errors),
            counts_for_breaker=FailureClass(class_) is FailureClass.TRANSIENT,
        )
        super().__init__(message or self.error.code)


class HttpFailure(Exception):
    """An answer with a status that is no success, kept raw for classification."""

    def __init__(self, status: int, headers: Mapping[str, str] | None = None, body: Any = None) -> None:
        self.status = status
        self.headers: dict[str, str] = {name.lower(): value for name, value in (headers or {}).items()}
        self.body = body
        super().__init__(f"HTTP {status}")


class Deferred(Exception):
    """Raised inside a tool that has asked a person and will answer later. Not a failure."""

    def __init__(self, message: str = "", *, data: Any = None) -> None:
        self.data = data
        super().__init__(message)


class SessionLost(RuntimeError):
    """Another process has taken this session over; nothing more may be done here."""
