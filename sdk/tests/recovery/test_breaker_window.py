"""What a breaker counts, whatever happens in whatever order."""

from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import switchboard as sb
from switchboard.breaker import Breaker, Permit
from switchboard.breaker.window import SlidingWindow
from switchboard.testing import FakeClock
from switchboard.vocabulary import BreakerState
from switchboard.wire import BreakerCommand, BreakerEvent, Obeyed, Verb


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


STEPS = st.sampled_from(["good", "failed", "slow", "look", "clear"])


@given(st.lists(st.tuples(st.floats(0, 90), STEPS), max_size=100))
def test_what_the_window_counts_is_what_its_slices_hold(steps: list[tuple[float, str]]) -> None:
    window, now = SlidingWindow(60), 0.0
    for pause, step in steps:
        now += pause
        if step == "good":
            window.add_good(now)
        elif step == "look":
            window.forget(now)
        elif step == "clear":
            window.clear()
        else:
            window.add(now, failed=step == "failed", slow=step == "slow")
        held = window.slices
        assert window.calls == sum(each.calls for each in held)
        assert window.failed == sum(each.failed for each in held)
        assert window.slow == sum(each.slow for each in held)


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
