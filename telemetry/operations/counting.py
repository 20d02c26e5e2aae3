"""When calls are added to the counters: with their rows, or a moment later together with others.

Under load the counters of one tool are touched by every commit. What a commit adds is then kept beside its rows as one
small row, and added a moment later with what others kept, in one transaction. At every commit the counters and what
is kept are together what the calls say; whoever takes something away adds first what is kept.
"""

from datetime import datetime
from typing import Protocol

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from telemetry import announce
from telemetry.domain.tally import Tally
from telemetry.operations.postgres import PostgresStore
from telemetry.operations.rows import Store
from telemetry.operations.sqlite import SqliteStore


class Counting(Protocol):
    """A way to count, inside the transaction that writes the calls."""

    def __call__(self, sql: Store, tally: Tally, *, at: datetime) -> None:
        """Count, now or later."""


def statements(cursor: CursorWrapper) -> Store:
    """Give the statements of the database that is used."""
    return PostgresStore(cursor) if connection.vendor == "postgresql" else SqliteStore(cursor)


def count(sql: Store, tally: Tally, *, at: datetime) -> None:
    """Add this, and all that was put off by whichever process, to the counters; tell the pages."""
    for written in sql.take_uncounted():
        tally.read(written)
    if tally.sums:
        sql.roll_up(tally.rollups())
        sql.sketch(tally.sketches())
        announce.calls_on_commit(at=at)


def count_later(sql: Store, tally: Tally, *, at: datetime) -> None:
    """Keep this for whoever counts next, unless it takes something away: what it takes may itself wait."""
    if tally.takes_away:
        count(sql, tally, at=at)
    elif tally.sums:
        sql.put_off(tally.written())


@transaction.atomic(durable=True)
def count_what_waits(*, at: datetime) -> None:
    """Add to the counters what was put off."""
    with connection.cursor() as cursor:
        count(statements(cursor), Tally(), at=at)
