"""One line of the journal: a logical call, and how far it got."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from switchboard.vocabulary import Effect


class State(StrEnum):
    """How far a call got. Only `intended` and the settled ones say for sure what happened."""

    INTENDED = "intended"
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"
    RECONCILED = "reconciled"


TRANSITIONS: Mapping[State, frozenset[State]] = {
    State.INTENDED: frozenset({State.STARTED}),
    State.STARTED: frozenset({State.INTENDED, State.STARTED, State.DONE, State.FAILED, State.UNKNOWN}),
    State.UNKNOWN: frozenset({State.RECONCILED}),
    State.DONE: frozenset(),
    State.FAILED: frozenset(),
    State.RECONCILED: frozenset(),
}

# From `started` back to `intended`: the tool has asked somebody before it did anything, and will be called again.
SETTLED = frozenset({State.DONE, State.FAILED, State.UNKNOWN, State.RECONCILED})


@dataclass(frozen=True, slots=True)
class Entry:
    """One logical call of a session. `result` is what was told to the caller, as JSON text, byte for byte."""

    logical_id: str
    call_id: str
    tool: str
    version: str
    effect: Effect
    key: str
    fingerprint: str
    args: Mapping[str, Any]
    state: State
    at: datetime
    result: str | None = None
    compensation: Mapping[str, Any] | None = None
    late: str | None = None
    round: int | None = None


class WrongTransition(RuntimeError):
    """A call that is already settled was to be settled again."""
