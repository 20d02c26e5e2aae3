"""The journal of a session that need not survive its process."""

import hashlib
import json
import threading
from dataclasses import dataclass, replace
from typing import Any

from switchboard.journal.entry import TRANSITIONS, Entry, State, WrongTransition
from switchboard.journal.store import HandedOver, KeyTaken
from switchboard.vocabulary import Effect


def check(before: State, after: State) -> None:
    """Raise WrongTransition unless a call may go from `before` to `after`."""
    if after not in TRANSITIONS[before]:
        raise WrongTransition(f"A call that is {before.value} cannot become {after.value}.")


@dataclass(slots=True)
class _Line:
    """One call as it stands. Changing this is cheaper than making a new entry each time."""

    entry: Entry
    state: State
    result: str | None = None
    late: str | None = None

    def read(self) -> Entry:
        if self.entry.state is self.state and self.result is None and self.late is None:
            return self.entry
        return replace(self.entry, state=self.state, result=self.result, late=self.late)


class MemoryJournal:
    """Keeps everything in dictionaries; the semantics are those of the file."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.fence = 1
        self.leased = False
        self._calls: dict[str, _Line] = {}
        self._effects: dict[str, str] = {}
        self._cases: dict[str, HandedOver] = {}
        self._secrets: dict[str, Any] = {}
        self._lock = threading.Lock()

    def look_up(self, logical_id: str) -> Entry | None:
        """The call of this name."""
        line = self._calls.get(logical_id)
        return line.read() if line else None

    def same_effect(self, fingerprint: str) -> Entry | None:
        """The latest write with the same meaning."""
        logical_id = self._effects.get(fingerprint)
        return self.look_up(logical_id) if logical_id else None

    def intend(self, entries: tuple[Entry, ...]) -> None:
        """Note what is going to be done."""
        with self._lock:
            for entry in entries:
                self._calls.setdefault(entry.logical_id, _Line(entry, State.INTENDED))

    def start(self, entry: Entry) -> None:
        """Note that a call begins."""
        with self._lock:
            known = self._calls.get(entry.logical_id)
            if known is not None:
                check(known.state, State.STARTED)
                if known.entry.key != entry.key:
                    raise KeyTaken(entry.key)
            self._calls[entry.logical_id] = _Line(entry, State.STARTED)
            if entry.effect is not Effect.READ:
                self._effects[entry.fingerprint] = entry.logical_id

    def put_back(self, logical_id: str) -> None:
        """Nothing was done yet."""
        with self._lock:
            line = self._calls[logical_id]
            check(line.state, State.INTENDED)
            line.state = State.INTENDED

    def settle(self, logical_id: str, state: State, result: str) -> None:
        """Note how it ended."""
        self._move(logical_id, state, result)

    def reconcile(self, logical_id: str, result: str) -> None:
        """Note what became of an unknown one."""
        self._move(logical_id, State.RECONCILED, result)

    def came_late(self, logical_id: str, told: str) -> None:
        """Note an end after the end."""
        with self._lock:
            self._calls[logical_id].late = told

    def entries(self) -> tuple[Entry, ...]:
        """Every call, in order."""
        return tuple(line.read() for line in tuple(self._calls.values()))

    def hand_over(self, case: HandedOver) -> None:
        """Keep a case."""
        self._cases[case.key] = case

    def cases(self) -> tuple[HandedOver, ...]:
        """Every case, in order."""
        return tuple(self._cases.values())

    def conceal(self, value: Any) -> str:
        """Keep a secret; give its reference."""
        ref = secret_ref(self.session_id, value)
        self._secrets[ref] = value
        return ref

    def reveal(self, ref: str) -> Any:
        """The secret of a reference. Raises KeyError."""
        return self._secrets[ref]

    def renew(self) -> None:
        """Nobody else can see this journal."""

    def close(self, *, finished: bool) -> None:
        """There is nothing to close; what was kept goes with the object."""

    def _move(self, logical_id: str, state: State, result: str) -> None:
        with self._lock:
            known = self._calls[logical_id]
            check(known.state, state)
            known.state, known.result = state, result


def secret_ref(session_id: str, value: Any) -> str:
    """A name for a value that says nothing about it to anybody without the session."""
    text = json.dumps([session_id, value], sort_keys=True, ensure_ascii=False, default=str)
    return "ref-" + hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
