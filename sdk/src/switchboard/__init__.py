"""Report tool calls, recover where the tool is called, hand over what cannot be recovered, wait for people."""

from ._canonical import canonical, digest
from ._errors import (
    BadAnswer,
    Closed,
    Conflict,
    DigestMismatch,
    IdempotencyConflict,
    Misconfigured,
    NotFound,
    Refused,
    SwitchboardError,
    Unauthorized,
    Undecided,
    Unreachable,
    Unsendable,
)
from ._ids import uuid7

# The recovery kit's names go into a block of their own above this line; `__all__` is every public name, sorted.
__all__ = [
    "BadAnswer",
    "Closed",
    "Conflict",
    "DigestMismatch",
    "IdempotencyConflict",
    "Misconfigured",
    "NotFound",
    "Refused",
    "SwitchboardError",
    "Unauthorized",
    "Undecided",
    "Unreachable",
    "Unsendable",
    "canonical",
    "digest",
    "uuid7",
]
