import gzip
import json
import logging

import pytest

from switchboard._pump import CAP_S, GATHER_S, KEEP_EVERY_S, LOOK_AGAIN_S, OUTAGE_FROM, Pump
from switchboard._queue import Queue, Stats
from switchboard._spool import Spool
from switchboard._transport import Answer, NoAnswer
from switchboard.testing import FakeClock


class Courier:
    """Takes what is sent, or does what the test has planned instead."""

    def __init__(self):
        self.sent = []
        self.planned = []

    def send(self, request, *, timeout_s):
        body = gzip.decompress(request.body) if "content-encoding" in request.headers else request.body
        calls = [each["call_id"] for each in json.loads(body)["calls"]]
        instead = self.planned.pop(0) if self.planned else None
        if isinstance(instead, Exception):
            raise instead
        if instead is not None:
            return instead
        self.sent.append(calls)
        said = {"accepted": len(calls), "duplicate": 0, "corrected": 0, "rejected": []}
        return Answer(200, {}, json.dumps(said).encode())

    def abort(self):
        return


class Setting:
    def __init__(self, folder=None, limit=10**6):
        self.clock, self.stats, self.courier = FakeClock(), Stats(), Courier()
        self.queue = Queue(self.stats, self.clock)
        self.spool = Spool(folder, limit=limit) if folder else None
        self.pump = Pump(
            queue=self.queue,
            stats=self.stats,
            courier=self.courier,
            clock=self.clock,
            spool=self.spool,
            timeout_s=1.0,
        )
        self._made = 0

    def report(self, count=1, size=0):
        for _ in range(count):
            call_id = f"{self._made:06}"
            self.queue.put(call_id, json.dumps({"call_id": call_id, "x": "y" * size}).encode())
            self._made += 1

    def run(self, seconds=0.0, **how):
        """Do what is due now and in the next `seconds`."""
        until = self.clock.monotonic() + seconds
        while (pause := self.pump.step(**how)) is not None and self.clock.monotonic() + pause <= until:
            self.clock.advance(pause)
        self.clock.advance(until - self.clock.monotonic())

    def down(self, times=1):
        self.courier.planned += [NoAnswer("down")] * times


def test_calls_are_gathered_for_a_moment_and_sent_together():
    it = Setting()
    it.report()
    assert it.pump.step() == pytest.approx(GATHER_S)
    it.clock.advance(0.1)
    it.report(4)
    it.run(0.1)
    assert it.courier.sent == [["000000", "000001", "000002", "000003", "000004"]]
    assert it.pump.step() is None
    assert (it.stats.stored, it.pump.empty) == (5, True)


def test_a_full_batch_goes_at_once_and_holds_a_thousand_at_most():
    it = Setting()
    it.report(2_500)
    it.run()
    assert [len(each) for each in it.courier.sent] == [1_000, 1_000]
    it.run(GATHER_S)
    assert [len(each) for each in it.courier.sent] == [1_000, 1_000, 500]


def test_a_batch_is_never_larger_than_the_console_takes():
    it = Setting()
    it.report(25, size=1_000_000)
    it.run(hurry=True)
    assert sum(len(each) for each in it.courier.sent) == 25
    assert max(len(each) for each in it.courier.sent) == 8


def test_a_hurry_does_not_wait_for_more():
    it = Setting()
    it.report()
    it.run(hurry=True)
    assert len(it.courier.sent) == 1


def test_too_many_requests_waits_as_long_as_it_was_asked_to_and_not_less():
    it = Setting()
    it.courier.planned = [Answer(429, {"retry-after": "7"}, b"{}")]
    it.report()
    it.run(GATHER_S)
    it.run(7.0)
    assert it.courier.sent == []
    it.run(0.8)
    assert len(it.courier.sent) == 1


def test_a_breath_of_outage_is_retried_from_memory(tmp_path):
    it = Setting(tmp_path)
    it.down(OUTAGE_FROM - 1)
    it.report()
    it.run(10.0)
    assert it.courier.sent == [["000000"]]
    assert it.stats.spooled == 0


def test_an_outage_is_kept_on_disk_and_sent_later_in_order(tmp_path, caplog):
    it = Setting(tmp_path)
    it.down(12)
    with caplog.at_level(logging.WARNING, "switchboard"):
        for _ in range(6):
            it.report(3)
            it.run(KEEP_EVERY_S)
    assert it.spool.waiting()
    assert it.stats.spooled > 0
    assert len([each for each in caplog.records if "kept and sent later" in each.message]) == 1
    it.courier.planned.clear()
    it.report(2)
    it.run(2 * CAP_S)
    sent = [call for batch in it.courier.sent for call in batch]
    assert sent == sorted(sent)
    assert len(sent) == len(set(sent)) == 20
    assert it.stats.stored == 20
    assert it.pump.empty


def test_a_killed_process_loses_only_the_last_seconds_of_an_outage(tmp_path):
    it = Setting(tmp_path)
    it.down(1_000)
    it.report(5)
    it.run(20.0)
    other = Setting(tmp_path)
    other.run(1.0)
    assert other.courier.sent == [["000000", "000001", "000002", "000003", "000004"]]


def test_a_full_disk_leaves_the_newest_in_memory_and_the_oldest_on_disk(tmp_path):
    it = Setting(tmp_path, limit=120)
    it.down(1_000)
    for _ in range(10):
        it.report()
        it.run(KEEP_EVERY_S)
    it.courier.planned.clear()
    it.run(2 * CAP_S)
    sent = [call for batch in it.courier.sent for call in batch]
    assert sent == sorted(sent)
    assert len(sent) == 10


def test_without_a_disk_an_outage_waits_in_memory():
    it = Setting()
    it.down(6)
    it.report(3)
    it.run(60.0)
    assert it.courier.sent == [["000000", "000001", "000002"]]


def test_leftovers_of_other_processes_are_looked_for_now_and_then(tmp_path):
    it, other = Setting(tmp_path), Setting(tmp_path)
    it.run()
    other.report()
    other.pump.keep()
    it.run(LOOK_AGAIN_S + 1)
    assert it.courier.sent == [["000000"]]


def test_one_call_that_spoils_its_batch_is_found_and_the_others_are_stored(caplog):
    it = Setting()

    class Picky(Courier):
        def send(self, request, *, timeout_s):
            if b'"000005"' in (
                gzip.decompress(request.body) if "content-encoding" in request.headers else request.body
            ):
                return Answer(422, {}, b'{"code":"MALFORMED","detail":"no"}')
            return super().send(request, timeout_s=timeout_s)

    it.pump._courier = it.courier = Picky()
    it.report(9)
    with caplog.at_level(logging.WARNING, "switchboard"):
        it.run(GATHER_S)
    sent = [call for batch in it.courier.sent for call in batch]
    assert sent == [f"{n:06}" for n in range(9) if n != 5]
    assert (it.stats.stored, it.stats.rejected) == (8, 1)
    assert "000005" in caplog.text


def test_rejected_calls_are_counted_and_each_reason_is_said_once(caplog):
    it = Setting()
    no = [{"index": n, "call_id": "c", "code": "TOO_OLD", "detail": "long ago"} for n in range(3)]
    said = {"accepted": 1, "duplicate": 2, "corrected": 3, "rejected": no}
    it.courier.planned = [Answer(207, {}, json.dumps(said).encode())]
    it.report(9)
    with caplog.at_level(logging.WARNING, "switchboard"):
        it.run(GATHER_S)
    seen = it.stats
    assert (seen.stored, seen.duplicate, seen.corrected, seen.rejected) == (1, 2, 3, 3)
    assert caplog.text.count("TOO_OLD") == 1


def test_a_wrong_key_keeps_the_calls_for_when_it_has_been_put_right(tmp_path):
    it = Setting(tmp_path)
    it.courier.planned = [Answer(401, {}, b'{"code":"UNAUTHORIZED","detail":"who?"}')] * 4
    it.report()
    it.run(10 * CAP_S)
    assert it.courier.sent == [["000000"]]


def test_a_wrong_key_is_said_at_once_and_not_after_an_outage(tmp_path, caplog):
    it = Setting(tmp_path)
    it.courier.planned = [Answer(401, {}, b'{"code":"UNAUTHORIZED","detail":"This key is not known."}')]
    it.report()
    it.pump.step(hurry=True)
    (line,) = caplog.messages
    assert "takes no call of this key: UNAUTHORIZED: This key is not known." in line


def test_an_answer_of_two_hundred_that_says_nothing_counts_as_stored():
    it = Setting()
    it.courier.planned = [Answer(200, {}, b"<html>")]
    it.report(2)
    it.run(GATHER_S)
    assert it.stats.stored == 2


def test_a_file_that_is_no_batch_is_removed_and_does_not_stop_the_line(tmp_path):
    it = Setting(tmp_path)
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "0-1-1.calls.gz").write_bytes(gzip.compress(b'{"calls":[{"call_id":"a"}]}'))
    (tmp_path / "0-1-2.calls.gz").write_bytes(b"rubbish")
    it.courier.planned = [Answer(422, {}, b"{}"), Answer(422, {}, b"{}")]
    it.courier.send = lambda request, *, timeout_s: Answer(422, {}, b'{"code":"MALFORMED"}')
    it.run(1.0)
    assert (it.stats.rejected, it.stats.dropped) == (1, 1)
    assert it.pump.empty


def test_what_is_left_at_the_end_is_kept_or_counted(tmp_path, caplog):
    it = Setting(tmp_path)
    it.report(3)
    it.pump.keep()
    assert (it.stats.spooled, it.stats.dropped, it.pump.waiting) == (3, 0, 0)
    it = Setting()
    it.report(3)
    with caplog.at_level(logging.WARNING, "switchboard"):
        it.pump.keep()
    assert (it.stats.spooled, it.stats.dropped, it.pump.waiting) == (0, 3, 0)
    assert "3 calls could not be reported" in caplog.text
