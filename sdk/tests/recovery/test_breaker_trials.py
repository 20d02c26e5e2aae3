"""What an open breaker lets through, and what comes back: recovery.md §4.7, semantics 61-64."""

import asyncio

import pytest
from breaking import QUICK, opened, permit

import switchboard as sb
from switchboard.breaker import Breaker, Permit, Rejection
from switchboard.testing import FakeClock, FakeConsole
from switchboard.vocabulary import BreakerState


def test_61_half_open_lets_only_so_many_try_at_once(clock: FakeClock) -> None:
    breaker = opened(Breaker("api", sb.BreakerPolicy(min_calls=2, open_s=10, probes=3), clock=clock))
    clock.advance(10)
    got = [breaker.acquire() for _ in range(20)]
    assert sum(isinstance(each, Permit) for each in got) == 3
    assert breaker.state is BreakerState.HALF_OPEN


def test_62_a_cancelled_trial_gives_its_place_back(breaker: Breaker, clock: FakeClock) -> None:
    opened(breaker)
    clock.advance(10)
    breaker.neutral(permit(breaker))
    assert breaker.state is BreakerState.HALF_OPEN
    assert isinstance(breaker.acquire(), Permit)


async def test_62_the_same_through_a_toolbox(console: FakeConsole, clock: FakeClock) -> None:
    with sb.Toolbox(clock=clock, breakers={"api": QUICK}) as box:
        begun = asyncio.Event()

        @box.tool(effect="read", dependency="api")
        async def hang() -> None:
            begun.set()
            await asyncio.Event().wait()

        opened(box.breakers.of("api"))
        clock.advance(10)
        task = asyncio.create_task(box.call("hang"))
        await begun.wait()
        assert isinstance(box.breakers.of("api").acquire(), Rejection)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert isinstance(box.breakers.of("api").acquire(), Permit)


async def test_62_a_trial_that_asks_a_person_first_gives_its_place_back(clock: FakeClock) -> None:
    with sb.Toolbox(clock=clock, breakers={"api": QUICK}) as box:

        @box.tool(effect="read", dependency="api")
        async def ask() -> None:
            raise sb.Deferred

        opened(box.breakers.of("api"))
        clock.advance(10)
        assert (await box.call("ask")).outcome == "deferred"
        assert isinstance(box.breakers.of("api").acquire(), Permit)


def test_63_a_trial_that_never_comes_back_has_failed(breaker: Breaker, clock: FakeClock) -> None:
    opened(breaker)
    clock.advance(10)
    lost = permit(breaker)
    clock.advance(30)
    assert isinstance(breaker.acquire(), Rejection)
    assert breaker.state is BreakerState.OPEN
    breaker.success(lost, 0.1)
    clock.advance(20)
    assert isinstance(breaker.acquire(), Permit)


def test_64_a_result_from_an_earlier_state_is_dropped(breaker: Breaker, clock: FakeClock) -> None:
    early = [permit(breaker) for _ in range(4)]
    opened(breaker)
    clock.advance(10)
    trial = permit(breaker)
    for each in early:
        breaker.success(each, 0.1)
    assert breaker.state is BreakerState.HALF_OPEN
    breaker.success(trial, 0.1)
    assert breaker.state is BreakerState.HALF_OPEN


def test_64_late_failures_of_an_earlier_state_do_not_open_it_again(
    breaker: Breaker, clock: FakeClock
) -> None:
    early = [permit(breaker) for _ in range(4)]
    opened(breaker)
    clock.advance(10)
    for _ in range(2):
        breaker.success(permit(breaker), 0.1)
    assert breaker.state is BreakerState.CLOSED
    for each in early:
        breaker.failure(each, 0.1, error="TIMEOUT")
        breaker.neutral(each)
    assert breaker.state is BreakerState.CLOSED
    window = breaker.snapshot().window
    assert window is not None
    assert (window.calls, window.ignored) == (0, 0)
