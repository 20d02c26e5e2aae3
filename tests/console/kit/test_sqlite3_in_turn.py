"""On a file of its own, with connections of threads: what a busy console is."""

import threading

import pytest
from django.db import OperationalError, transaction

from console.kit.connections import database
from console.kit.sqlite3_in_turn.base import DatabaseWrapper
from console.kit.sqlite3_in_turn.turns import Turns

pytestmark = pytest.mark.django_db  # its lock on threads that connect
WRITERS, WRITES = 12, 15


@pytest.fixture
def connect(tmp_path):
    said = {**database(None, tmp_path / "x.sqlite3"), "TIME_ZONE": None, "CONN_HEALTH_CHECKS": False}
    said |= {"AUTOCOMMIT": True, "ATOMIC_REQUESTS": False, "TEST": {}}
    made = []

    def connected(**options):
        options = {**said["OPTIONS"], **options}
        one = DatabaseWrapper({**said, "OPTIONS": options}, alias="default")
        one.inc_thread_sharing()
        made.append(one)
        return one

    yield connected
    for one in made:
        one.close()


@pytest.fixture
def counter(connect):
    one = connect()
    with one.cursor() as cursor:
        cursor.execute("CREATE TABLE counter (n integer)")
        cursor.execute("INSERT INTO counter VALUES (0)")
    return one


def begin(connection):
    """Begin a transaction as `transaction.atomic` does."""
    connection.ensure_connection()
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def in_transaction(connection, work):
    begin(connection)
    try:
        with connection.cursor() as cursor:
            work(cursor)
    except BaseException:
        connection.rollback()
        raise
    else:
        connection.commit()
    finally:
        connection.set_autocommit(True)


def alone(connection, work):
    with connection.cursor() as cursor:
        work(cursor)


def count_up(cursor):
    cursor.execute("UPDATE counter SET n = n + 1")


def total(connection):
    with connection.cursor() as cursor:
        return cursor.execute("SELECT n FROM counter").fetchone()[0]


def test_many_writers_with_and_without_a_transaction_all_get_their_turn(connect, counter):
    faults = []

    def write(how):
        mine = connect()
        try:
            for _ in range(WRITES):
                how(mine, count_up)
        except OperationalError as exc:
            faults.append(exc)

    hows = [in_transaction, in_transaction, alone] * (WRITERS // 3)
    threads = [threading.Thread(target=write, args=(how,)) for how in hows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    assert total(counter) == WRITERS * WRITES


def test_a_write_that_fails_gives_its_turn_on(connect, counter):
    def fail(cursor):
        count_up(cursor)
        raise LookupError

    with pytest.raises(LookupError):
        in_transaction(connect(), fail)
    with pytest.raises(OperationalError, match="no such table"):
        alone(connect(), lambda cursor: cursor.execute("UPDATE missing SET n = 1"))
    in_transaction(connect(timeout=0.2), count_up)
    alone(connect(timeout=0.2), count_up)
    assert total(counter) == 2


@pytest.mark.parametrize("how", [in_transaction, alone])
def test_whoever_waits_too_long_is_refused_and_a_connection_that_is_closed_half_way_gives_its_turn_on(
    connect, counter, how
):
    half = connect()
    begin(half)
    with pytest.raises(OperationalError, match="locked"):
        how(connect(timeout=0.05), count_up)
    half.close()
    how(connect(timeout=0.2), count_up)
    assert total(counter) == 1


def test_reading_waits_for_nobody(connect, counter):
    writing = connect()
    before = total(counter)
    begin(writing)
    count_up(writing.cursor())
    assert total(counter) == before
    writing.rollback()


def test_the_console_itself_runs_on_it_where_it_runs_on_sqlite():
    connection = transaction.get_connection()
    assert isinstance(connection, DatabaseWrapper) == (connection.vendor == "sqlite")


def waiting_for(turns, count):
    while len(turns._waiting) < count:
        threading.Event().wait(0.001)


def test_whoever_waited_longest_is_next_and_nobody_passes():
    turns, order, threads = Turns(), [], []

    def come(name):
        assert turns.take(within_s=10)
        order.append(name)
        turns.give()

    assert turns.take(within_s=0)
    for place in range(8):
        thread = threading.Thread(target=come, args=(place,))
        thread.start()
        waiting_for(turns, place + 1)
        threads.append(thread)
    turns.give()
    for thread in threads:
        thread.join(10)
    assert order == list(range(8))
    assert turns.take(within_s=0)


def test_whoever_gives_up_waiting_holds_up_nobody():
    turns = Turns()
    assert turns.take(within_s=0)
    assert not turns.take(within_s=0.01)
    turns.give()
    assert turns.take(within_s=0)
