"""The journal in one SQLite file (WAL). Several sessions share a file; one process at a time owns a session.

`start` commits with `synchronous=FULL`: the line is on the disk before the tool runs. `settle` commits with
`synchronous=NORMAL`: it survives the death of the process at once, and a power cut from the next `start` on; until
then the call counts as started, which is safe.
"""

import json
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from switchboard.clock import Clock
from switchboard.failure import SessionLost
from switchboard.journal.entry import Entry, State
from switchboard.journal.memory import check, secret_ref
from switchboard.journal.owner import Owner, still_held
from switchboard.journal.schema import BEFORE, COLUMNS, SCHEMA, UPSERT_CASE, as_json, read_entry
from switchboard.journal.store import HandedOver, KeyTaken, SessionBusy

_log = logging.getLogger("switchboard")


class SqliteJournal:
    """One session in a file. Opening it takes it over from a dead owner and raises SessionBusy for a living one."""

    def __init__(
        self,
        path: str | Path,
        session_id: str,
        *,
        goal: str,
        trace_id: str,
        clock: Clock,
        lease_s: float = 60.0,
    ) -> None:
        self.session_id = session_id
        self.fence: int = 0
        self.leased = True
        self.trace_id: str = trace_id
        self._clock = clock
        self._lease_s = lease_s
        self._owner = Owner.here()
        self._lock = threading.RLock()
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
        try:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA foreign_keys=ON")
            self._db.executescript(SCHEMA)
            self._adopt(goal)
        except BaseException:
            self._db.close()
            raise

    # -- calls ------------------------------------------------------------------------------------------------

    def look_up(self, logical_id: str) -> Entry | None:
        """The call of this name."""
        return self._one("logical_id = ?", logical_id)

    def same_effect(self, fingerprint: str) -> Entry | None:
        """The latest write with the same meaning."""
        return self._one("fingerprint = ? AND effect <> 'read' ORDER BY rowid DESC LIMIT 1", fingerprint)

    def entries(self) -> tuple[Entry, ...]:
        """Every call, in order."""
        with self._lock:
            rows = self._db.execute(
                f"SELECT {COLUMNS} FROM call WHERE session_id = ? ORDER BY rowid",  # noqa: S608  # made of constants of this file
                [self.session_id],
            ).fetchall()
        return tuple(read_entry(row) for row in rows)

    def intend(self, entries: tuple[Entry, ...]) -> None:
        """Note what is going to be done."""
        with self._writing(durable=True):
            for entry in entries:
                if not self._inserted(entry, State.INTENDED) and self.look_up(entry.logical_id) is None:
                    raise KeyTaken(entry.key)

    def start(self, entry: Entry) -> None:
        """Note that a call begins, on the disk. Raises KeyTaken, WrongTransition or SessionLost."""
        with self._writing(durable=True):
            if self._inserted(entry, State.STARTED):
                return
            known = self.look_up(entry.logical_id)
            if known is None:
                raise KeyTaken(entry.key)
            check(known.state, State.STARTED)
            if known.key != entry.key:
                raise KeyTaken(entry.key)
            # Only now is it known whole: a step that people decided has no fingerprint yet.
            begun = [State.STARTED, self.fence, entry.fingerprint, as_json(entry.args), entry.at.isoformat()]
            begun += [as_json(entry.compensation) if entry.compensation else None, entry.round]
            self._db.execute(
                "UPDATE call SET state = ?, fence = ?, fingerprint = ?, args = ?, at = ?, compensation = ?, round = ?"
                " WHERE session_id = ? AND logical_id = ?",
                [*begun, self.session_id, entry.logical_id],
            )

    def put_back(self, logical_id: str) -> None:
        """Nothing was done yet."""
        with self._writing(durable=True):
            known = self.look_up(logical_id)
            if known is None:
                raise KeyError(logical_id)
            check(known.state, State.INTENDED)
            self._db.execute(
                "UPDATE call SET state = ? WHERE session_id = ? AND logical_id = ?",
                [State.INTENDED, self.session_id, logical_id],
            )

    def settle(self, logical_id: str, state: State, result: str) -> None:
        """Note how it ended."""
        self._move(logical_id, state, result, durable=state is State.UNKNOWN)

    def reconcile(self, logical_id: str, result: str) -> None:
        """Note what became of an unknown one."""
        self._move(logical_id, State.RECONCILED, result, durable=True)

    def came_late(self, logical_id: str, told: str) -> None:
        """Note an end after the end."""
        with self._writing(durable=False):
            self._db.execute(
                "UPDATE call SET late = ? WHERE session_id = ? AND logical_id = ?",
                [told, self.session_id, logical_id],
            )

    # -- cases and secrets ------------------------------------------------------------------------------------

    def hand_over(self, case: HandedOver) -> None:
        """Keep a case, or what has become of it."""
        row = [self.session_id, case.key, case.logical_id, as_json(case.body), case.case_id, case.revision]
        row += [
            as_json(case.decision) if case.decision is not None else None,
            case.status,
            int(case.reported),
        ]
        with self._writing(durable=True):
            self._db.execute(UPSERT_CASE, row)

    def cases(self) -> tuple[HandedOver, ...]:
        """Every case, in order."""
        with self._lock:
            rows = self._db.execute(
                "SELECT key, body, logical_id, case_id, revision, decision, status, reported FROM handover"
                " WHERE session_id = ? ORDER BY rowid",
                [self.session_id],
            ).fetchall()
        return tuple(
            HandedOver(
                key=row[0], body=json.loads(row[1]), logical_id=row[2], case_id=row[3], revision=row[4],
                decision=json.loads(row[5]) if row[5] else None, status=row[6], reported=bool(row[7]),
            )
            for row in rows
        )  # fmt: skip

    def conceal(self, value: Any) -> str:
        """Keep a secret in the file; give its reference."""
        ref = secret_ref(self.session_id, value)
        with self._writing(durable=True):
            self._db.execute(
                "INSERT OR IGNORE INTO secret VALUES (?, ?, ?)", [self.session_id, ref, as_json(value)]
            )
        return ref

    def reveal(self, ref: str) -> Any:
        """The secret of a reference. Raises KeyError."""
        with self._lock:
            row = self._db.execute(
                "SELECT value FROM secret WHERE session_id = ? AND ref = ?", [self.session_id, ref]
            ).fetchone()
        if row is None:
            raise KeyError(ref)
        return json.loads(row[0])

    # -- the owner --------------------------------------------------------------------------------------------

    def renew(self) -> None:
        """Say that this process is still at work. Raises SessionLost."""
        with self._writing(durable=False):
            pass  # every write looks after the lease

    def close(self, *, finished: bool) -> None:
        """Give the session back, so that the next process may have it at once."""
        with self._lock:
            at = self._clock.now().isoformat() if finished else None
            try:
                self._db.execute(
                    "UPDATE session SET lease_until = 0, finished_at = COALESCE(?, finished_at)"
                    " WHERE id = ? AND fence = ?",
                    [at, self.session_id, self.fence],
                )
            except sqlite3.OperationalError as exc:  # a full disk: what the program raises matters more
                _log.warning("Session %s could not be given back: %s", self.session_id, exc)
            finally:
                self._db.close()

    def _adopt(self, goal: str) -> None:
        now = self._clock.now()
        with self._transaction():
            row = self._db.execute(
                "SELECT owner, fence, lease_until, trace_id FROM session WHERE id = ?", [self.session_id]
            ).fetchone()
            lease = now.timestamp() + self._lease_s
            if row is None:
                self.fence = 1
                self._db.execute(
                    "INSERT INTO session VALUES (?, ?, ?, ?, 1, ?, ?, NULL)",
                    [self.session_id, goal, self.trace_id, str(self._owner), lease, now.isoformat()],
                )
                return
            if still_held(row[0], row[2], now.timestamp()):
                raise SessionBusy(f"Session {self.session_id} is open in a living process.")
            self.fence, self.trace_id = row[1] + 1, row[3]
            self._db.execute(
                "UPDATE session SET owner = ?, fence = ?, lease_until = ? WHERE id = ?",
                [str(self._owner), self.fence, lease, self.session_id],
            )

    # -- inside -----------------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self._db.in_transaction:  # a full disk has rolled it back already
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    @contextmanager
    def _writing(self, *, durable: bool) -> Iterator[None]:
        """One transaction of the owner. A process that has lost the session writes nothing."""
        if os.getpid() != self._owner.pid:
            raise SessionLost(f"Session {self.session_id} belongs to the process that was forked.")
        with self._lock:
            self._db.execute("PRAGMA synchronous=FULL" if durable else "PRAGMA synchronous=NORMAL")
            with self._transaction():
                self._hold()
                yield

    def _hold(self) -> None:
        """See that the session is still ours. Its lease is written anew when a quarter of it is gone."""
        row = self._db.execute(
            "SELECT lease_until FROM session WHERE id = ? AND fence = ?", [self.session_id, self.fence]
        ).fetchone()
        if row is None:
            raise SessionLost(f"Session {self.session_id} has been taken over by another process.")
        now = self._clock.now().timestamp()
        if not self._lease_s * 0.75 <= row[0] - now <= self._lease_s:
            lease = [now + self._lease_s, self.session_id]
            self._db.execute("UPDATE session SET lease_until = ? WHERE id = ?", lease)

    def _one(self, where: str, value: str) -> Entry | None:
        with self._lock:
            row = self._db.execute(
                f"SELECT {COLUMNS} FROM call WHERE session_id = ? AND {where}",  # noqa: S608  # made of constants of this file
                [self.session_id, value],
            ).fetchone()
        return read_entry(row) if row else None

    def _inserted(self, entry: Entry, state: State) -> bool:
        """Write a new line, unless there is one of this name or with this key."""
        row: list[Any] = [
            self.session_id,
            entry.logical_id,
            entry.call_id,
            entry.tool,
            entry.version,
            entry.effect,
            entry.key,
        ]
        row += [entry.fingerprint, as_json(entry.args), state, entry.at.isoformat(), None]
        row += [as_json(entry.compensation) if entry.compensation else None, None, entry.round, self.fence]
        try:
            self._db.execute(f"INSERT INTO call VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608  # made of constants of this file
        except sqlite3.IntegrityError:
            return False
        return True

    def _move(self, logical_id: str, state: State, result: str, *, durable: bool) -> None:
        with self._writing(durable=durable):
            moved = self._db.execute(
                f"UPDATE call SET state = ?, result = ? WHERE session_id = ? AND logical_id = ? AND state IN ({BEFORE[state]})",  # noqa: S608  # made of constants of this file
                [state, result, self.session_id, logical_id],
            )
            if moved.rowcount == 0:
                known = self.look_up(logical_id)
                if known is None:
                    raise KeyError(logical_id)
                check(known.state, state)
