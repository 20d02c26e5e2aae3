import asyncio
import threading
import time
from datetime import timedelta

import pytest

import switchboard
from switchboard.testing import FakeClock, FakeConsole


def test_the_clock_moves_only_when_told_to():
    clock = FakeClock()
    start = clock.now()
    assert clock.monotonic() == 0
    clock.advance(90)
    assert (clock.monotonic(), clock.now() - start) == (90, timedelta(seconds=90))
    clock.advance(-5)
    assert clock.monotonic() == 90


async def test_a_sleep_moves_the_clock_and_is_noted():
    clock = FakeClock()
    clock.sleep_sync(2)
    await clock.sleep(3)
    assert (clock.slept, clock.monotonic()) == ([2, 3], 5)


def test_what_is_planned_happens_in_order_at_its_own_time():
    clock, seen = FakeClock(), []
    for seconds in (3, 1, 2, 1):
        clock.call_later(seconds, lambda at=seconds: seen.append((at, clock.monotonic())))
    clock.call_later(2, lambda: seen.append("never")).cancel()
    clock.call_later(99, lambda: seen.append("later"))
    clock.advance(10)
    assert seen == [(1, 1), (1, 1), (2, 2), (3, 3)]
    assert clock.monotonic() == 10


def test_something_planned_may_plan_more():
    clock, seen = FakeClock(), []

    def again():
        seen.append(clock.monotonic())
        clock.call_later(1, again)

    clock.call_later(1, again)
    clock.advance(3.5)
    assert seen == [1, 2, 3]


def test_a_fake_console_takes_no_time_and_starts_no_thread(console, task):
    before, began = threading.active_count(), time.monotonic()
    client = console.client()
    client.report({"tool": "t"})
    with pytest.raises(switchboard.Undecided):
        client.escalate(**task).wait(timeout=86_400)
    console.down()
    with pytest.raises(switchboard.Unreachable):
        client.escalate(**task, key="other")
    client.close()
    assert threading.active_count() == before
    assert time.monotonic() - began < 5


def test_a_call_is_stored_once_and_corrected_by_a_higher_revision(console):
    client = console.client()
    for rev, tool in ((0, "a"), (0, "b"), (2, "c"), (1, "d")):
        client.report({"tool": tool, "call_id": "x", "rev": rev})
    assert [call["tool"] for call in console.calls] == ["c"]
    assert (client.stats.stored, client.stats.duplicate, client.stats.corrected) == (1, 2, 1)


def test_a_call_the_contract_does_not_know_is_rejected_as_the_console_would(console, caplog):
    client = console.client()
    client.report({"tool": "t", "durationms": 3})
    assert console.calls == []
    assert client.stats.rejected == 1
    assert "durationms" in caplog.text


def test_an_outage_loses_nothing(console):
    client = console.client()
    with console.outage():
        client.report({"tool": "t"})
        assert console.calls == []
        assert not client.flush()
    console.clock.advance(60)
    assert client.flush()
    assert len(console.calls) == 1


def test_a_decision_made_in_an_outage_arrives_after_it(console, task):
    case = console.client().escalate(**task)
    with console.outage():
        console.decide(case)
        with pytest.raises(switchboard.Unreachable):
            case.wait(1)
    assert case.wait(1).approved


async def test_a_waiting_coroutine_gets_what_was_decided_in_an_outage(console, task):
    case = await console.async_client().escalate(**task)
    wait = asyncio.create_task(case.wait())
    await asyncio.sleep(0)
    with console.outage():
        console.decide(case)
    assert (await wait).approved


def test_cases_are_found_by_id_key_reference_and_handle(console, task):
    case = console.client().escalate(**task, key="k")
    kept = console.cases[0]
    assert all(console.book.find(name) is kept for name in (case, kept, case.id, "k", "C-1"))
    with pytest.raises(switchboard.NotFound):
        console.decide("nobody")


def test_deciding_twice_is_refused_as_at_the_console(console, task):
    case = console.client().escalate(**task)
    console.decide(case)
    with pytest.raises(switchboard.Conflict, match="ALREADY_DECIDED"):
        console.decide(case, "reject")
    with pytest.raises(switchboard.Conflict):
        console.expire(case)


def test_an_approval_must_name_its_plan_where_there_are_several(console, task):
    plans = [task["proposals"][0], {"id": "p2", "kind": "continue", "title": "Go on"}]
    case = console.client().escalate(**{**task, "proposals": plans})
    with pytest.raises(switchboard.Refused, match="NO_SUCH_PROPOSAL"):
        console.decide(case)
    console.decide(case, proposal_id="p2")
    assert case.wait().proposal_id == "p2"


def test_the_next_answer_can_be_planned(console, task):
    console.answer_next(503, headers={"retry-after": "3"}, path="/api/v1/escalations")
    console.client().escalate(**task)
    assert console.clock.slept[0] >= 3


def test_what_the_console_does_not_have_is_missing(console):
    client = console.client()
    console.answer_next(404, b'{"code":"NOT_FOUND","detail":"no"}')
    with pytest.raises(switchboard.NotFound):
        client.case("k")


def test_several_clients_are_several_processes_of_one_agent(console):
    one, two = console.client(instance="one"), console.client(instance="two")
    one.report({"tool": "t"})
    two.report({"tool": "t"})
    assert [call["instance"] for call in console.calls] == ["one", "two"]


async def test_the_coroutine_client_closes_and_flushes(console):
    async with console.async_client() as client:
        client.report({"tool": "t"})
        assert await client.flush()
    assert len(console.calls) == 1


def test_a_console_may_share_a_clock(console):
    clock = FakeClock()
    assert FakeConsole(clock).clock is clock
