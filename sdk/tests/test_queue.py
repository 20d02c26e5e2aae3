import logging

from switchboard._queue import Queue, Stats
from switchboard.testing import FakeClock


def test_calls_come_out_in_the_order_they_went_in():
    queue = Queue(Stats(), FakeClock())
    assert [queue.put(str(n), b"x") for n in range(3)] == [1, 2, 3]
    assert [queue.pop() for _ in range(4)] == [("0", b"x"), ("1", b"x"), ("2", b"x"), None]


def test_too_many_push_the_oldest_out_counted_and_said_once(caplog):
    stats = Stats()
    queue = Queue(stats, FakeClock(), most=3)
    with caplog.at_level(logging.WARNING, "switchboard"):
        for n in range(10):
            queue.put(str(n), b"x")
    assert stats.dropped == 7
    assert len([each for each in caplog.records if each.name == "switchboard"]) == 1
    assert [queue.pop()[0] for _ in range(3)] == ["7", "8", "9"]


def test_too_large_pushes_the_oldest_out_as_well():
    stats = Stats()
    queue = Queue(stats, FakeClock(), most_bytes=100)
    for n in range(5):
        queue.put(str(n), b"x" * 30)
    assert (len(queue), stats.dropped) == (3, 2)
    queue.pop()
    queue.put("5", b"x" * 30)
    assert stats.dropped == 2


def test_a_child_process_begins_empty():
    queue = Queue(Stats(), FakeClock())
    queue.put("1", b"x")
    queue.forked()
    assert queue.pop() is None
