"""Orders to a breaker, and its shadow: recovery.md §4.7, semantics 68."""

from datetime import timedelta

from breaking import fail, opened

import switchboard as sb
from switchboard.breaker import Breaker, Permit, Rejection
from switchboard.testing import FakeClock, FakeConsole
from switchboard.vocabulary import BreakerState
from switchboard.wire import BreakerCommand, BreakerEvent, Obeyed, Verb


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
