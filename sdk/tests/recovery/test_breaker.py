"""The breaker: recovery.md §4.7, semantics 58-70."""

import asyncio
import threading
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import switchboard as sb
from switchboard.breaker import Breaker, Permit, Rejection
from switchboard.breaker.window import SlidingWindow
from switchboard.testing import FakeClock, FakeConsole
from switchboard.vocabulary import BreakerState
from switchboard.wire import BreakerCommand, BreakerEvent, Obeyed, Verb

QUICK = sb.BreakerPolicy(min_calls=2, open_s=10, longest_open_s=25, probes=1, successes=2, probe_s=30)


@pytest.fixture
def events() -> list[BreakerEvent]:
    return []


@pytest.fixture
def breaker(clock: FakeClock, events: list[BreakerEvent]) -> Breaker:
    return Breaker("api", QUICK, clock=clock, listener=events.append)


def permit(breaker: Breaker) -> Permit:
    got = breaker.acquire()
    assert isinstance(got, Permit)
    return got


def fail(breaker: Breaker, times: int = 1) -> None:
    for _ in range(times):
        breaker.failure(permit(breaker), 0.1, error="TIMEOUT")


def opened(breaker: Breaker) -> Breaker:
    fail(breaker, 2)
    assert breaker.state is BreakerState.OPEN
    return breaker


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


def test_68_an_order_beats_what_was_measured_until_its_time_is_over(
    breaker: Breaker, clock: FakeClock
) -> None:
    until = clock.now() + timedelta(seconds=60)
    order = BreakerCommand(
        command_id="c1",
        number=1,
        verb=Verb.FORCE_OPEN,
        breaker="api",
        reason="maintenance",
        actor="Ana",
        expires_at=until,
    )
    assert breaker.obey(order) is Obeyed.APPLIED
    rejection = breaker.acquire()
    assert isinstance(rejection, Rejection)
    assert (rejection.state, rejection.reason, rejection.retry_after_s) == ("forced_open", "maintenance", 60)
    assert breaker.forced is not None
    assert (breaker.forced.actor, breaker.forced.until) == ("Ana", until)
    clock.advance(60)
    assert breaker.state is BreakerState.CLOSED
    assert isinstance(breaker.acquire(), Permit)


def test_68_disabled_lets_everything_through_and_counts_nothing(breaker: Breaker) -> None:
    breaker.obey(BreakerCommand(command_id="c1", number=1, verb=Verb.DISABLE, breaker="api"))
    fail(breaker, 20)
    assert breaker.state is BreakerState.DISABLED
    breaker.obey(BreakerCommand(command_id="c2", number=2, verb=Verb.RELEASE, breaker="api"))
    assert breaker.state is BreakerState.CLOSED


def test_68_reset_lets_a_trial_decide(breaker: Breaker) -> None:
    opened(breaker)
    breaker.obey(BreakerCommand(command_id="c1", number=1, verb=Verb.RESET, breaker="api"))
    assert breaker.state is BreakerState.HALF_OPEN
    fail(breaker)
    assert breaker.state is BreakerState.OPEN


def test_68_an_order_that_has_expired_or_expected_another_state_is_not_carried_out(
    breaker: Breaker, clock: FakeClock
) -> None:
    late = BreakerCommand(
        command_id="c1", number=1, verb=Verb.FORCE_OPEN, breaker="api", expires_at=clock.now()
    )
    assert breaker.obey(late) is Obeyed.EXPIRED
    surprised = BreakerCommand(
        command_id="c2", number=2, verb=Verb.FORCE_OPEN, breaker="api", expected_state="open"
    )
    assert breaker.obey(surprised) is Obeyed.REFUSED
    assert breaker.state is BreakerState.CLOSED


def test_68_in_shadow_it_records_and_never_refuses(clock: FakeClock, events: list[BreakerEvent]) -> None:
    shadow = sb.BreakerPolicy(min_calls=2, open_s=10, shadow=True)
    breaker = Breaker("api", shadow, clock=clock, listener=events.append)
    fail(breaker, 30)
    assert breaker.state is BreakerState.METRICS_ONLY
    assert [(event.to_state, event.reason) for event in events] == [("metrics_only", "failure_rate")]


async def test_68_the_consoles_order_reaches_a_toolbox_and_a_later_process(console: FakeConsole) -> None:
    def make() -> sb.Toolbox:
        box = sb.Toolbox(console.client(), clock=console.clock)

        @box.tool(effect="read", dependency="api")
        async def it() -> str:
            return "x"

        return box

    with make() as first:
        assert (await first.call("it")).ok
        console.order("api", "force_open", reason="the API is on fire")
        result = await first.call("it")
        assert result.error is not None
        assert "the API is on fire" in result.error.message
    with make() as later:
        later.breakers.of("api")
        console.listen()
        assert not (await later.call("it")).ok
    assert {ack["status"] for ack in console.breaker_acks} == {"applied"}


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


@given(st.lists(st.tuples(st.floats(0, 30), st.booleans()), max_size=200))
def test_the_window_never_counts_more_than_happened_lately(calls: list[tuple[float, bool]]) -> None:
    window, now, seen = SlidingWindow(60), 0.0, []
    for pause, failed in calls:
        now += pause
        window.add(now, failed=failed, slow=False)
        seen.append((now, failed))
        recent = [failed for at, failed in seen if now - at < 60 - 60 / 20]
        ever = [failed for at, failed in seen if now - at < 60]
        assert len(recent) <= window.calls <= len(ever)
        assert window.failed <= sum(ever)
        assert len(window.slices) <= 22


class BreakerMachine(RuleBasedStateMachine):
    """Whatever happens in whatever order, what the breaker promises holds."""

    @initialize(probes=st.integers(1, 3), successes=st.integers(1, 3), shadow=st.booleans())
    def begin(self, probes: int, successes: int, shadow: bool) -> None:
        self.clock = FakeClock()
        self.events: list[BreakerEvent] = []
        policy = sb.BreakerPolicy(
            min_calls=3,
            open_s=10,
            longest_open_s=40,
            probes=probes,
            successes=successes,
            probe_s=50,
            shadow=shadow,
        )
        self.breaker = Breaker("api", policy, clock=self.clock, listener=self.events.append)
        self.out: list[Permit] = []

    @rule()
    def ask(self) -> None:
        state = self.breaker.state
        got = self.breaker.acquire()
        if isinstance(got, Permit):
            self.out.append(got)
            assert state is not BreakerState.FORCED_OPEN
        else:
            assert got.retry_after_s >= 0
            assert not self.breaker.policy.shadow or got.state is BreakerState.FORCED_OPEN
            assert state is not BreakerState.DISABLED

    @precondition(lambda self: self.out)
    @rule(data=st.data(), how=st.sampled_from(["success", "failure", "neutral"]))
    def settle(self, data: Any, how: str) -> None:
        permit = self.out.pop(data.draw(st.integers(0, len(self.out) - 1)))
        match how:
            case "success":
                self.breaker.success(permit, 0.1)
            case "failure":
                self.breaker.failure(permit, 0.1, error="X")
            case _:
                self.breaker.neutral(permit, class_="hard")

    @rule(seconds=st.sampled_from([0.5, 5, 10, 40, 70]))
    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)

    @rule(verb=st.sampled_from(list(Verb)), lasts=st.sampled_from([None, 15, -1]))
    def order(self, verb: Verb, lasts: float | None) -> None:
        until = self.clock.now() + timedelta(seconds=lasts) if lasts else None
        command = BreakerCommand(command_id="c", number=1, verb=verb, breaker="api", expires_at=until)
        assert (self.breaker.obey(command) is Obeyed.EXPIRED) is (lasts == -1)

    @invariant()
    def trials_are_capped(self) -> None:
        live = [
            each
            for each in self.out
            if each.probe is not None and each.generation == self.breaker._generation
        ]
        assert len(live) <= self.breaker.policy.probes

    @invariant()
    def events_form_one_chain(self) -> None:
        for before, after in zip(self.events, self.events[1:], strict=False):
            assert before.to_state == after.from_state
        if self.events:
            assert self.events[-1].to_state == self.breaker.state or self.breaker.forced is None

    @invariant()
    def nothing_is_counted_twice(self) -> None:
        window = self.breaker.snapshot().window
        assert window is not None
        assert 0 <= window.failed <= window.calls


BreakerMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestBreakerMachine = BreakerMachine.TestCase
