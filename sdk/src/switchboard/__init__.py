"""Report tool calls, recover where the tool is called, hand over what cannot be recovered, wait for people."""

from switchboard._canonical import canonical, digest
from switchboard._errors import (
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
from switchboard._ids import uuid7

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
