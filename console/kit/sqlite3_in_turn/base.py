"""The database backend; Django looks for it under this name."""

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Self, cast

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from console.kit.sqlite3_in_turn.turns import Turns

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")  # as the ORM begins them
_guard = threading.Lock()
_turns: defaultdict[str, Turns] = defaultdict(Turns)  # one for each file


class Cursor(base.SQLiteCursorWrapper):
    """Takes a turn for a write that stands alone: otherwise those in transactions would pass it for ever."""

    database: "DatabaseWrapper"

    def execute(self, query: str, params: Any = None) -> Self:
        """Run one statement, in turn where it has no transaction around it."""
        if not (self.database.stands_alone and query.startswith(WRITES)):
            return cast("Self", super().execute(query, params))
        self.database.take_turn()
        try:
            return cast("Self", super().execute(query, params))
        finally:
            self.database.give_turn()


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes its turn before it asks SQLite for the write lock, and gives it when the transaction has ended."""

    _mine: Turns | None = None

    @property
    def stands_alone(self) -> bool:
        """Say that no transaction of this connection has the turn."""
        return self._mine is None

    def take_turn(self) -> None:
        """Wait for the turn; raises what SQLite raises when it does not come in time."""
        with _guard:
            turns = _turns[str(self.settings_dict["NAME"])]
        if not turns.take(within_s=float(self.settings_dict["OPTIONS"].get("timeout", 5))):
            raise OperationalError("database is locked: other writes of this process take too long")
        self._mine = turns

    def give_turn(self) -> None:
        """Let the next one write, where this one could."""
        if (mine := self._mine) is not None:
            self._mine = None
            mine.give()

    def create_cursor(self, name: str | None = None) -> Cursor:  # noqa: ARG002  # Django's signature
        """Give a cursor that knows this connection."""
        factory = cast("Callable[..., Cursor]", Cursor)
        cursor = self.connection.cursor(factory=factory)
        cursor.database = self
        return cast("Cursor", cursor)

    def _start_transaction_under_autocommit(self) -> None:
        if self._mine is not None:  # SQLite says what is wrong with a second one
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs lack it
            return
        self.take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs lack it
        except BaseException:
            self.give_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # when it fails the transaction is still open; Django then rolls back
        self.give_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # the stubs lack it
        finally:
            self.give_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # the stubs lack it
        finally:
            self.give_turn()
