"""Who waits for which decision. Every way a decision can arrive ends here, whichever thread brings it."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from switchboard._errors import Conflict, SwitchboardError
from switchboard.wire import Decision


@dataclass(frozen=True, slots=True, eq=False)
class Waiter:
    """One wait, for the decision about one revision of a case."""

    escalation_id: str
    revision: int
    future: "Future[Decision]"


class Mailbox:
    """Hands each arriving row to those who wait for it. A wait is one small object, not a thread."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[str, list[Waiter]] = {}
        self._fresh: set[str] = set()
        self._asked: set[str] = set()
        self._on_change = on_change

    def watch(self, escalation_id: str, revision: int, *, ask: bool = False) -> Waiter:
        """Begin to wait; the answer, or one of our exceptions, is set on the waiter's future.

        `ask` is for a case of an earlier life of this process: its decision may have been acknowledged then, and what
        is acknowledged is not sent again by itself.
        """
        waiter = Waiter(escalation_id, revision, Future())
        with self._lock:
            self._waiters.setdefault(escalation_id, []).append(waiter)
            self._fresh.add(escalation_id)
            if ask:
                self._asked.add(escalation_id)
        self._on_change()
        return waiter

    def unwatch(self, waiter: Waiter) -> None:
        """Stop waiting. The row stays at the console; a later wait gets it again."""
        with self._lock:
            self._drop(waiter)

    def deliver(self, row: Mapping[str, Any]) -> bool:
        """Give a row to its waiters; False when nobody waits for it.

        A row that cannot be understood or whose digest does not fit is handed over as the exception it is, because
        silence would leave the agent waiting for something that has been said.
        """
        escalation_id, revision = row.get("escalation_id"), row.get("revision")
        if not isinstance(escalation_id, str) or not isinstance(revision, int):
            return False
        self._overtaken(escalation_id, revision)
        taken = self._take(escalation_id, lambda waiter: waiter.revision == revision)
        if not taken:
            return False
        try:
            decision = Decision.read(row)
        except SwitchboardError as exc:
            _fail(taken, exc)
        else:
            for waiter in taken:
                if waiter.future.set_running_or_notify_cancel():
                    waiter.future.set_result(decision)
        return True

    def _overtaken(self, escalation_id: str, revision: int) -> None:
        """End the waits for an older revision: what was decided now is about another plan than theirs."""
        older = self._take(escalation_id, lambda waiter: waiter.revision < revision)
        if older:
            said = f"The case is at revision {revision} now; this wait was for an older one. Nothing was approved."
            _fail(older, Conflict(said, code="SUPERSEDED", status=409))

    def fail(self, escalation_id: str, exc: SwitchboardError) -> None:
        """End every wait for this case with an exception."""
        _fail(self._take(escalation_id, lambda _: True), exc)

    def fail_all(self, exc: SwitchboardError) -> None:
        """End every wait there is."""
        for escalation_id in self.ids():
            self.fail(escalation_id, exc)

    def ids(self) -> tuple[str, ...]:
        """The cases somebody waits for."""
        with self._lock:
            return tuple(self._waiters)

    def fresh(self) -> tuple[str, ...]:
        """The cases somebody began to wait for since this was last asked."""
        with self._lock:
            found = tuple(self._fresh & self._waiters.keys())
            self._fresh.clear()
            return found

    def asked(self) -> tuple[str, ...]:
        """The cases to ask about once, since this was last asked."""
        with self._lock:
            found = tuple(self._asked)
            self._asked.clear()
            return found

    def __contains__(self, escalation_id: str) -> bool:
        return escalation_id in self._waiters

    def __len__(self) -> int:
        return len(self._waiters)

    def revision(self, escalation_id: str) -> int:
        """The oldest revision of this case that somebody waits for, 0 when nobody does."""
        with self._lock:
            return min((each.revision for each in self._waiters.get(escalation_id, ())), default=0)

    def _take(self, escalation_id: str, which: Callable[[Waiter], bool]) -> list[Waiter]:
        with self._lock:
            taken = [each for each in self._waiters.get(escalation_id, ()) if which(each)]
            for waiter in taken:
                self._drop(waiter)
            return taken

    def _drop(self, waiter: Waiter) -> None:
        waiting = self._waiters.get(waiter.escalation_id)
        if waiting is None or waiter not in waiting:
            return
        waiting.remove(waiter)
        if not waiting:
            del self._waiters[waiter.escalation_id]


def _fail(waiters: list[Waiter], exc: SwitchboardError) -> None:
    for waiter in waiters:
        if waiter.future.set_running_or_notify_cancel():
            waiter.future.set_exception(exc)
