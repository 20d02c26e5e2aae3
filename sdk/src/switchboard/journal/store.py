"""What a session needs of a journal, whichever kind keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from switchboard.journal.entry import Entry, State


class SessionBusy(RuntimeError):
    """A living process has this session open; it must not be run twice at once."""


class KeyTaken(RuntimeError):
    """The idempotency key of this call is already reserved by another one."""


@dataclass(frozen=True, slots=True)
class HandedOver:
    """One case of a session: what was sent, what was decided, how far the decided plan got."""

    key: str
    body: Mapping[str, Any]
    logical_id: str | None = None
    case_id: str | None = None
    revision: int = 1
    decision: Mapping[str, Any] | None = None
    status: str | None = None
    reported: bool = False


class Journal(Protocol):
    """The calls and cases of one session, in order. `start` returns only when its line is on the disk."""

    session_id: str
    fence: int
    leased: bool  # whether `renew` has to be called now and then

    def look_up(self, logical_id: str) -> Entry | None:
        """The call of this name."""
        ...

    def same_effect(self, fingerprint: str) -> Entry | None:
        """The latest write of this session with the same meaning."""
        ...

    def intend(self, entries: tuple[Entry, ...]) -> None:
        """Note what is going to be done, before any of it."""
        ...

    def start(self, entry: Entry) -> None:
        """Note that a call begins; it is on the disk when this returns."""
        ...

    def put_back(self, logical_id: str) -> None:
        """The tool has asked before it did anything: the call may be made again from its beginning."""
        ...

    def settle(self, logical_id: str, state: State, result: str) -> None:
        """Note how it ended, with what was told about it."""
        ...

    def reconcile(self, logical_id: str, result: str) -> None:
        """Note what became of a call that was unknown."""
        ...

    def came_late(self, logical_id: str, told: str) -> None:
        """How a call ended after it had been given up."""
        ...

    def entries(self) -> tuple[Entry, ...]:
        """Every call, in order."""
        ...

    def hand_over(self, case: HandedOver) -> None:
        """Keep a case, or what has become of it."""
        ...

    def cases(self) -> tuple[HandedOver, ...]:
        """Every case, in order."""
        ...

    def conceal(self, value: Any) -> str:
        """Keep a value that must not leave the machine; the reference stands for it on the wire."""
        ...

    def reveal(self, ref: str) -> Any:
        """The secret of a reference. Raises KeyError."""
        ...

    def renew(self) -> None:
        """Say that this process is still at work."""
        ...

    def close(self, *, finished: bool) -> None:
        """Give the session back, so that another process may have it."""
        ...
