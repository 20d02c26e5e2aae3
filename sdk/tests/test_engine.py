import asyncio
import threading
from concurrent.futures import Future

import pytest

import switchboard
from switchboard._engine import ThreadEngine
from switchboard.testing import FakeClock
from switchboard.testing._engine import InlineEngine


@pytest.fixture
def engine():
    made = ThreadEngine()
    yield made
    made.stop(5)
    assert not made.alive


async def double(value):
    await asyncio.sleep(0)
    return value * 2


async def forever():
    await asyncio.sleep(3600)


async def broken():
    raise ValueError("no")


def test_threads_and_coroutines_of_any_loop_get_results_and_exceptions(engine):
    assert engine.run(double(2)) == 4
    assert asyncio.run(engine.join(double(3))) == 6
    assert asyncio.run(engine.join(double(4))) == 8
    with pytest.raises(ValueError, match="no"):
        engine.run(broken())
    with pytest.raises(ValueError, match="no"):
        asyncio.run(engine.join(broken()))


def test_stopping_ends_what_is_under_way_as_closed(engine):
    got = []

    def work():
        try:
            engine.run(forever())
        except switchboard.Closed as exc:
            got.append(exc)

    thread = threading.Thread(target=work)
    thread.start()
    while not engine.alive:
        pass
    engine.run(double(1))
    engine.stop(5)
    thread.join(5)
    assert len(got) == 1
    with pytest.raises(switchboard.Closed):
        engine.run(double(1))


async def test_a_cancelled_caller_cancels_the_work(engine):
    seen = []

    async def work():
        try:
            await forever()
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    task = asyncio.create_task(engine.join(work()))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    engine.run(double(1))
    assert seen == ["cancelled"]


def test_waiting_for_the_engine_inside_the_engine_is_an_error_and_not_a_deadlock(engine):
    async def inside():
        return engine.run(double(1))

    with pytest.raises(RuntimeError, match="own thread"):
        engine.run(inside())


def test_what_was_opened_is_closed_last_first(engine):
    closed = []

    def cleanup(name):
        async def close():
            closed.append(name)

        return close

    engine.at_stop(cleanup("a"))
    engine.at_stop(cleanup("b"))
    engine.run(double(1))
    engine.stop(5)
    engine.stop(5)
    assert closed == ["b", "a"]


def test_an_engine_that_never_worked_has_nothing_to_stop(engine):
    engine.soon(lambda: None)
    engine.stop(1)
    assert not engine.alive


def test_a_wait_ends_after_its_time(engine):
    with pytest.raises(TimeoutError):
        engine.wait(Future(), 0.01)
    with pytest.raises(TimeoutError):
        asyncio.run(engine.wait_async(Future(), 0.01))


def test_under_a_fake_clock_a_wait_without_an_end_is_an_error_and_not_a_hang():
    with pytest.raises(AssertionError, match="nobody has decided"):
        InlineEngine(FakeClock()).wait(Future(), None)


def test_under_a_fake_clock_nothing_may_wait_for_real():
    loop = asyncio.new_event_loop()

    async def waits():
        await loop.create_future()

    with pytest.raises(RuntimeError, match="waited for real"):
        InlineEngine(FakeClock()).run(waits())
    loop.close()


def test_under_a_fake_clock_a_turn_for_others_is_no_wait():
    assert InlineEngine(FakeClock()).run(double(1)) == 2


def test_held_still_the_thread_begins_nothing_until_it_is_let_go(engine):
    engine.run(double(1))
    let_go = engine.hold_still(5)
    later = engine.submit(double(2))
    with pytest.raises(TimeoutError):
        later.result(0.05)
    let_go()
    assert later.result(5) == 4


def test_holding_still_never_waits_for_itself(engine):
    engine.hold_still(5)()
    done = Future()
    engine.run(double(1))
    engine.soon(lambda: done.set_result(engine.hold_still(5)))
    done.result(1)()
