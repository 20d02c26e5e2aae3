"""What the store itself does with the same rows and nobody in front of it: prepared rows, indexes, durable commits.

The rows are those that every call leaves: its row, with the indexes that pages need, and no counters, keys or ledger;
ingest writes all of these in the same transaction, and is measured against the call's row alone. On PostgreSQL it is
COPY, on SQLite a prepared INSERT.
"""

import json
import random
import sqlite3
import time
from itertools import islice

import psycopg

from console.kit.connections import SQLITE_PRAGMAS
from tests.bench.load.reports import call

COLUMNS = (
    "id", "series_id", "call_id", "rev", "trace_id", "bucket", "started_at", "duration_us", "attempts", "recovery_us",
    "fingerprint", "detail",
)  # fmt: skip
LIKE = """CREATE TABLE bench_call (id {id} PRIMARY KEY, series_id bigint NOT NULL, call_id varchar(128) NOT NULL,
rev integer NOT NULL, trace_id varchar(64) NOT NULL, bucket integer NOT NULL, started_at {time} NOT NULL,
duration_us bigint NOT NULL, attempts integer NOT NULL, recovery_us bigint NOT NULL, fingerprint bigint NOT NULL,
detail text NOT NULL);
CREATE INDEX bench_series ON bench_call (series_id, id); CREATE INDEX bench_trace ON bench_call (trace_id);
CREATE INDEX bench_cause ON bench_call (fingerprint, id) WHERE fingerprint > 0"""
SHAPES = 500  # different details; the ids are each row's own


def rows():
    """Rows as the console stores them, without end."""
    details = [json.dumps(call())[120:] for _ in range(SHAPES)]
    number = time.time_ns() // 1_000
    while True:
        number += 1
        yield (
            number << 12, random.randrange(40), f"{number:032x}", 0, f"{random.getrandbits(128):032x}", 29_000_000,
            "2026-11-30 12:00:00", 120_500, 1, 0, 0, random.choice(details),
        )  # fmt: skip


class Limit:
    """A table of its own beside the console's, in the same kind of database on the same disk."""

    def __init__(self, commit):
        self._commit, self._rows = commit, rows()

    def rate(self, per_commit, seconds):
        """Give rows a second at so many rows a commit; making the rows is not counted."""
        took = written = 0
        while took < seconds:
            chunk = list(islice(self._rows, per_commit))
            started = time.perf_counter()
            self._commit(chunk)
            took += time.perf_counter() - started
            written += per_commit
        return written / took


def sqlite_limit(path):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(SQLITE_PRAGMAS + LIKE.format(time="datetime", id="integer"))
    insert = f"INSERT INTO bench_call ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"

    def commit(chunk):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(insert, chunk)
        connection.execute("COMMIT")

    return Limit(commit)


def postgresql_limit(url):
    connection = psycopg.connect(url)
    for statement in LIKE.format(time="timestamptz", id="bigint").split(";"):
        connection.execute(statement)
    connection.commit()

    def commit(chunk):
        with connection.cursor().copy(f"COPY bench_call ({', '.join(COLUMNS)}) FROM STDIN") as copy:
            for row in chunk:
                copy.write_row(row)
        connection.commit()

    return Limit(commit)
