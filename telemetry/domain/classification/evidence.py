"""What the classifier is given and what it answers, as frozen values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from telemetry.vocabulary import SideEffect


class Verdict(StrEnum):
    """The seven failure classes, and the two answers that are no failure."""

    SUCCESS = "success"
    DEFERRED = "deferred"
    INVALID_ARGS = "invalid_args"
    TRANSIENT = "transient"
    EMPTY = "empty"
    HARD = "hard"
    PARTIAL = "partial"
    UNKNOWN_OUTCOME = "unknown_outcome"
    INTERNAL = "internal"


class Retryable(StrEnum):
    """Whether sending the same call again may help."""

    YES = "yes"
    NO = "no"
    ONLY_IF_IDEMPOTENT = "only_if_idempotent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One tool call as it was seen. Every value may be hostile; nothing here is trusted to be well formed."""

    tool: str = ""
    side_effect: str = SideEffect.READ
    args: Any = None
    """The arguments of the call, usually an object."""
    args_schema: Any = None
    """JSON Schema of the arguments, where the reporter knows it."""
    http_status: Any = None
    headers: Mapping[str, Any] | None = None
    body: Any = None
    """Parsed JSON, or the text as it came."""
    has_body: bool = True
    """False where the reporter withheld the result: nothing is ever called empty then."""
    complete: bool = True
    """False where the result was cut or redacted: it is never called empty or truncated then."""
    exception: Mapping[str, Any] | str | None = None
    grpc_status: Any = None
    exit_code: Any = None
    stderr: Any = None
    stdout: Any = None
    duration_ms: Any = None
    timeout_ms: Any = None
    items: Sequence[Any] | None = None
    """Per-item results `{key, status, failure?}`, where the agent reports them itself."""
    message: str | None = None
    """Free text of the reporter about the failure."""
    failed: bool | None = None
    """The reporter's own word on success, for evidence that is silent."""
    deferred: bool = False
    """The reporter says that the call waits for a person."""
    not_found_is_empty: bool | None = None
    """Per-tool override: a 404 of this tool is an empty look-up (True) or a failure (False)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """The answer, with the rule that gave it."""

    verdict: Verdict
    code: str | None = None
    """UPPER_SNAKE, or None where nothing clear can be said."""
    retryable: Retryable = Retryable.NO
    retry_after_s: float | None = None
    field: str | None = None
    constraint: str | None = None
    received: Any = None
    has_received: bool = False
    """True where `received` is known, so that a received null can be told from no value."""
    hint: str | None = None
    ok_count: int | None = None
    failed_count: int | None = None
    rule: str = ""
    confidence: float = 0.0
    version: str = ""
