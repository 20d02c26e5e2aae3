"""The breaker: recovery.md §4.7, semantics 58-60, 65-67, 69 and 70."""

import asyncio
import threading
from datetime import timedelta

import pytest
from breaking import QUICK, fail, opened, permit

import switchboard as sb
from switchboard.breaker import Breaker, Rejection
from switchboard.testing import FakeClock, FakeConsole
from switchboard.vocabulary import BreakerState
from switchboard.wire import BreakerEvent


def test_58_it_opens_on_a_share_of_enough_calls_and_never_on_one_early_failure(clock: FakeClock) -> None:
    breaker = Breaker("api", sb.BreakerPolicy(), clock=clock)
    fail(breaker, 4)
    assert breaker.state is BreakerState.CLOSED
    fail(breaker)
    assert breaker.state is BreakerState.OPEN


def test_58_what_has_left_the_window_does_not_count(clock: FakeClock) -> None:
    breaker = Breaker("api", sb.BreakerPolicy(min_calls=2, window_s=60), clock=clock)
    fail(breaker)
    clock.advance(61)
    fail(breaker)
    assert breaker.state is BreakerState.CLOSED


def test_58_each_failed_trial_doubles_the_wait_up_to_a_cap_and_success_ends_it(
    breaker: Breaker, clock: FakeClock
) -> None:
    opened(breaker)
    for wait in (10, 20, 25, 25):
        clock.advance(wait - 0.1)
        assert isinstance(breaker.acquire(), Rejection)
        clock.advance(0.1)
        fail(breaker)
    clock.advance(25)
    for _ in range(2):
        breaker.success(permit(breaker), 0.1)
    assert breaker.state is BreakerState.CLOSED
    opened(breaker)
    rejection = breaker.acquire()
    assert isinstance(rejection, Rejection)
    assert rejection.retry_after_s == 10


def test_58_slow_calls_open_it_too(clock: FakeClock) -> None:
    breaker = Breaker("api", sb.BreakerPolicy(min_calls=5, slow_s=2, slow_rate=0.8), clock=clock)
    for duration in (3, 3, 3, 0.1, 3):
        breaker.success(permit(breaker), duration)
    assert breaker.state is BreakerState.OPEN


@pytest.mark.parametrize(
    ("failure", "counted"),
    [
        (ConnectionResetError(), True), (TimeoutError(), True), (sb.HttpFailure(500), True), (sb.HttpFailure(503), True),
        (sb.HttpFailure(408), True), (sb.HttpFailure(400), False), (sb.HttpFailure(401), False),
        (sb.HttpFailure(403), False), (sb.HttpFailure(404), False), (sb.HttpFailure(409), False),
        (sb.HttpFailure(422), False), (KeyError("x"), False), (sb.ToolFailure("hard", "NO"), False),
    ],
)  # fmt: skip
async def test_59_only_what_says_something_about_the_dependency_counts(
    box: sb.Toolbox, failure: BaseException, counted: bool
) -> None:
    @box.tool(effect="read", policy=sb.Policy(attempts=1), dependency="api")
    async def it() -> None:
        raise failure

    await box.call("it")
    window = box.breakers.of("api").snapshot().window
    assert window is not None
    assert (window.failed, window.calls, window.ignored) == ((1, 1, 0) if counted else (0, 0, 1))


async def test_60_a_429_delays_and_does_not_trip(box: sb.Toolbox) -> None:
    @box.tool(effect="read", dependency="api")
    async def it() -> None:
        raise sb.HttpFailure(429, {"Retry-After": "1"})

    for _ in range(5):
        await box.call("it")
    assert box.breakers.of("api").state is BreakerState.CLOSED


async def test_65_open_means_no_call_and_says_when(console: FakeConsole, clock: FakeClock) -> None:
    with sb.Toolbox(clock=clock, breakers={"api": sb.BreakerPolicy(min_calls=2, open_s=200)}) as box:
        calls = 0

        @box.tool(effect="read", dependency="api")
        async def it() -> None:
            nonlocal calls
            calls += 1

        opened(box.breakers.of("api"))
        result = await box.call("it")
    assert calls == 0
    assert result.error is not None
    assert (result.error.code, result.error.retry_after_s, result.attempts) == ("BREAKER_OPEN", 200, ())
    assert clock.slept == []


async def test_65_open_goes_to_the_fallback(clock: FakeClock) -> None:
    with sb.Toolbox(clock=clock, breakers={"api": QUICK}) as box:

        @box.tool(effect="read", dependency="api", fallbacks=[sb.Static({"seats": "any"})])
        async def it() -> None:
            raise AssertionError("never called")

        opened(box.breakers.of("api"))
        result = await box.call("it")
    assert (result.outcome, result.source) == ("degraded", "static")


async def test_66_each_attempt_is_one_sample(box: sb.Toolbox) -> None:
    @box.tool(effect="read", dependency="api")
    async def it() -> None:
        raise ConnectionResetError

    await box.call("it")
    window = box.breakers.of("api").snapshot().window
    assert window is not None
    assert window.calls == 3


async def test_67_two_tools_on_one_dependency_share_a_breaker_and_an_alternate_has_its_own(
    box: sb.Toolbox,
) -> None:
    for name, dependency in (("a", "api"), ("b", "api"), ("c", "other")):

        @box.tool(effect="read", dependency=dependency, name=name, policy=sb.Policy(attempts=1))
        async def it() -> None:
            raise ConnectionResetError

    for name in "abc":
        await box.call(name)
    counted = {breaker.name: breaker.snapshot().window.failed for breaker in box.breakers}
    assert counted == {"api": 2, "other": 1}


def test_69_a_listener_that_fails_never_breaks_a_call(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(event: BreakerEvent) -> None:
        raise RuntimeError("board is down")

    breaker = Breaker("api", QUICK, clock=clock, listener=broken)
    fail(breaker, 2)
    assert breaker.state is BreakerState.OPEN
    assert "board is down" in caplog.text


async def test_70_concurrent_calls_are_not_put_in_a_row(box: sb.Toolbox) -> None:
    together = asyncio.Barrier(4)

    @box.tool(effect="read", dependency="api")
    async def it(n: int) -> int:
        await together.wait()
        return n

    results = await asyncio.gather(*(box.call("it", {"n": n}) for n in range(1, 5)))
    assert [result.data for result in results] == [1, 2, 3, 4]


def test_70_threads_may_share_it(clock: FakeClock) -> None:
    breaker = Breaker("api", sb.BreakerPolicy(min_calls=10_000), clock=clock)

    def work() -> None:
        for _ in range(500):
            fail(breaker)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    window = breaker.snapshot().window
    assert window is not None
    assert (window.calls, window.failed) == (2000, 2000)


def test_an_event_tells_from_where_to_where_why_and_what_was_counted(
    breaker: Breaker, events: list[BreakerEvent], clock: FakeClock
) -> None:
    breaker.failure(permit(breaker), 0.1, error="TIMEOUT", trace_id="t1")
    breaker.failure(permit(breaker), 0.1, error="TIMEOUT", trace_id="t2")
    (event,) = events
    assert (event.from_state, event.to_state, event.reason) == ("closed", "open", "failure_rate")
    assert event.window is not None
    assert (event.window.calls, event.window.failure_rate) == (2, 1.0)
    assert event.open_until == clock.now() + timedelta(seconds=10)
    assert event.trigger is not None
    assert (event.trigger.trace_id, event.trigger.error_type) == ("t2", "TIMEOUT")


async def test_the_console_gets_events_and_heartbeats(console: FakeConsole) -> None:
    with sb.Toolbox(console.client(), clock=console.clock, breakers={"api": QUICK}) as box:
        opened(box.breakers.of("api"))
        console.beat()
    assert [(event["breaker"], event["to_state"]) for event in console.breaker_events] == [("api", "open")]
    assert console.heartbeats[-1]["breakers"][0]["state"] == "open"


def test_a_policy_refuses_what_makes_no_sense() -> None:
    for wrong in ({"failure_rate": 0}, {"slow_rate": 2}, {"min_calls": 0}, {"probes": 0}, {"successes": 0}):
        with pytest.raises(ValueError, match=r"shares|at least 1"):
            sb.BreakerPolicy(**wrong)  # type: ignore[arg-type]
