"""The service's own state: one SQLite file, one transaction a request, one answer a key."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from console.demo.travel.wire import Answer, FieldError, Refused, Request

SCHEMA = """
CREATE TABLE IF NOT EXISTS trips (id TEXT PRIMARY KEY, n INTEGER, desk TEXT, scenario TEXT, body TEXT, state TEXT, at TEXT);
CREATE TABLE IF NOT EXISTS tries (trip TEXT, tool TEXT, n INTEGER, PRIMARY KEY (trip, tool));
CREATE TABLE IF NOT EXISTS accounts (id TEXT PRIMARY KEY, points INTEGER, token TEXT, expired INTEGER, attended INTEGER);
CREATE TABLE IF NOT EXISTS holds (id TEXT PRIMARY KEY, flight TEXT, traveller TEXT, cabin TEXT, price INTEGER, state TEXT,
    seat TEXT, at TEXT);
CREATE TABLE IF NOT EXISTS seats (flight TEXT, seat TEXT, traveller TEXT, party TEXT, at TEXT,
    PRIMARY KEY (flight, seat));
CREATE TABLE IF NOT EXISTS upgrades (id TEXT PRIMARY KEY, key TEXT UNIQUE, hold TEXT, cabin TEXT, points INTEGER,
    charge TEXT, at TEXT);
CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, key TEXT UNIQUE, hold TEXT, asked INTEGER, charge TEXT, at TEXT);
CREATE TABLE IF NOT EXISTS charges (id TEXT PRIMARY KEY, kind TEXT, owner TEXT, amount INTEGER, key TEXT, trip TEXT, at TEXT);
CREATE TABLE IF NOT EXISTS refunds (id TEXT PRIMARY KEY, charge TEXT UNIQUE, kind TEXT, owner TEXT, amount INTEGER, key TEXT,
    trip TEXT, at TEXT);
CREATE TABLE IF NOT EXISTS papers (id TEXT PRIMARY KEY, kind TEXT, subject TEXT, body TEXT, trip TEXT, at TEXT);
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, fingerprint TEXT, status INTEGER, body TEXT, at TEXT);
CREATE INDEX IF NOT EXISTS charges_by_trip ON charges (trip);
CREATE INDEX IF NOT EXISTS trips_by_desk ON trips (desk, state);
"""
TABLES_WITH_TIME = (
    "trips",
    "holds",
    "seats",
    "upgrades",
    "payments",
    "charges",
    "refunds",
    "papers",
    "answers",
)


class Store:
    """Rows and transactions; used by the one thread that serves."""

    def __init__(self, path: str = ":memory:") -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;" + SCHEMA)

    def close(self) -> None:
        """Give the file back."""
        self._db.close()

    def one(self, sql: str, *values: object) -> sqlite3.Row | None:
        """The first row, or None."""
        row: sqlite3.Row | None = self._db.execute(sql, values).fetchone()
        return row

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """All rows."""
        return self._db.execute(sql, values).fetchall()

    def write(self, sql: str, *values: object) -> int:
        """Run one statement; how many rows it touched."""
        return self._db.execute(sql, values).rowcount

    def number(self, table: str) -> int:
        """The number of the next row of a table, still unused after old rows were dropped."""
        row = self.one(f"SELECT coalesce(max(rowid), 0) + 1 AS n FROM {table}")  # noqa: S608 - the name is one of ours
        return int(row["n"]) if row else 1

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or, when it raises, none of it."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def forget_before(self, moment: str) -> None:
        """Drop what is older than `moment` (RFC 3339): a demo that runs for weeks must not fill the disk."""
        for table in TABLES_WITH_TIME:
            self.write(f"DELETE FROM {table} WHERE at < ?", moment)  # noqa: S608 - the name is one of ours
        self.write("DELETE FROM tries WHERE trip NOT IN (SELECT id FROM trips)")


def once(store: Store, request: Request, effect: Callable[[], Answer]) -> Answer:
    """Run a write once per key: again is the stored answer, the key with other arguments is a conflict.

    A refusal frees the key, because nothing was done under it.
    """
    said = json.dumps([dict(request.path), dict(request.args)], sort_keys=True)
    fingerprint = hashlib.sha256(said.encode()).hexdigest()
    known = store.one("SELECT * FROM answers WHERE key = ?", request.key)
    if known is not None and known["fingerprint"] != fingerprint:
        error = FieldError(
            "IDEMPOTENCY_CONFLICT", "Idempotency-Key", "one key for one effect", request.key, "make a new key"
        )
        raise Refused(422, "IDEMPOTENCY_CONFLICT", "This key was used with other arguments.", error)
    if known is not None:
        return Answer(known["status"], json.loads(known["body"]), {"idempotent-replayed": "true"})
    answer = effect()
    store.write(
        "INSERT INTO answers VALUES (?, ?, ?, ?, ?)",
        request.key, fingerprint, answer.status, json.dumps(answer.body), request.at.isoformat(),
    )  # fmt: skip
    return answer
