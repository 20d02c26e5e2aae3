"""The circuit breaker of one dependency.

It counts attempts over a sliding time window and opens on the share of failed or slow ones. Only what says something
about the dependency counts; everything else is neutral and gives its permit back. The lock is held for bookkeeping,
never during a call.
"""

import threading

from switchboard.breaker.outbox import Listener, Outbox, Reason, counts
from switchboard.breaker.policy import BreakerPolicy, Forced, Permit, Rejection
from switchboard.breaker.window import SlidingWindow
from switchboard.clock import Clock
from switchboard.vocabulary import BreakerState
from switchboard.wire import BreakerCommand, BreakerSnapshot, Cause, Obeyed, Verb

Seen = tuple[str, str | None]  # the code of a failure and its trace
_CLOSED = BreakerState.CLOSED  # Python 3.11 looks a member up at each use, for as long as a lock takes


class Breaker:
    """One dependency's breaker. Safe to share between threads and tasks."""

    def __init__(
        self, name: str, policy: BreakerPolicy, *, clock: Clock, listener: Listener | None = None
    ) -> None:
        self.name = name
        self.policy = policy
        self._clock, self._monotonic = clock, clock.monotonic
        self._lock = threading.Lock()
        self._window = SlidingWindow(policy.window_s)
        self._state = BreakerState.CLOSED
        self._forced: Forced | None = None
        self._generation = 0
        self._permit = Permit(0)  # one for all calls of a generation; only trials are told apart
        self._since = clock.now()
        self._reopen_at = 0.0
        self._trips = 0
        self._probes: dict[int, float] = {}
        self._next_probe = 0
        self._successes = 0
        self._outbox = Outbox(name, policy, clock=clock, listener=listener)

    # -- one call ---------------------------------------------------------------------------------------------

    def acquire(self) -> Permit | Rejection:
        """Ask to make one call."""
        if self._state is _CLOSED and self._forced is None:
            return self._permit  # overtaken by a trip, it is a permit of the time before and counts nothing
        with self._lock:
            verdict = self._verdict()
        self._outbox.tell()
        return verdict

    def success(self, permit: Permit, duration_s: float) -> None:
        """The dependency answered as it should, in `duration_s`."""
        slow_s = self.policy.slow_s
        slow = slow_s is not None and duration_s >= slow_s
        with self._lock:
            window = self._window
            if permit is self._permit and not (slow or window.failed or window.slow or self._forced):
                window.add_good(self._monotonic())  # the common case: nothing to judge, nothing to tell
                return
        self._settle(permit, failed=False, slow=slow)

    def failure(self, permit: Permit, duration_s: float, *, error: str, trace_id: str | None = None) -> None:
        """The dependency failed: a timeout, a reset, a 5xx."""
        slow_s = self.policy.slow_s
        slow = slow_s is not None and duration_s >= slow_s
        self._settle(permit, failed=True, slow=slow, seen=(error, trace_id))

    def neutral(self, permit: Permit, *, class_: str = "") -> None:
        """It says nothing about the dependency: a wrong argument, a refusal, a cancelled task."""
        with self._lock:
            if permit.generation != self._generation:
                return
            self._window.ignored += 1
            if class_:
                self._window.classes[class_] += 1
            if permit.probe is not None:
                self._probes.pop(permit.probe, None)

    # -- what it is -------------------------------------------------------------------------------------------

    @property
    def state(self) -> BreakerState:
        """What it does with the next call, orders included."""
        with self._lock:
            self._expire_order()
            return self._visible

    @property
    def forced(self) -> Forced | None:
        """The order in force: who, why, until when."""
        with self._lock:
            self._expire_order()
            return self._forced

    def snapshot(self) -> BreakerSnapshot:
        """The breaker as it stands, for the heartbeat."""
        with self._lock:
            self._expire_order()
            self._window.forget(self._monotonic())
            seen = BreakerSnapshot(state=self._visible, since=self._since, window=counts(self._window))
        self._outbox.tell()
        return seen

    # -- orders -----------------------------------------------------------------------------------------------

    def obey(self, command: BreakerCommand) -> Obeyed:
        """Do what the console says. An order that has expired is not carried out."""
        if command.expires_at is not None and command.expires_at <= self._clock.now():
            return Obeyed.EXPIRED
        expected = command.expected_state
        if expected is not None and expected != self.state.value:
            return Obeyed.REFUSED
        match command.verb:
            case Verb.FORCE_OPEN:
                self.force(_order(BreakerState.FORCED_OPEN, command))
            case Verb.DISABLE:
                self.force(_order(BreakerState.DISABLED, command))
            case Verb.RELEASE:
                self.release(command_id=command.command_id)
            case Verb.RESET:
                self.reset(command_id=command.command_id)
        return Obeyed.APPLIED

    def force(self, order: Forced) -> None:
        """An order beats what was measured until it is released or its time is over."""
        with self._lock:
            before = self._visible
            self._forced = order
            self._changed(
                before, "command" if order.command_id else "manual_local", command_id=order.command_id
            )
        self._outbox.tell()

    def release(self, *, command_id: str | None = None) -> None:
        """Back to what was measured."""
        with self._lock:
            before, self._forced = self._visible, None
            self._changed(before, "command" if command_id else "manual_local", command_id=command_id)
        self._outbox.tell()

    def reset(self, *, command_id: str | None = None) -> None:
        """Let a probe decide, instead of believing anybody that it is well again."""
        with self._lock:
            before, self._forced = self._visible, None
            self._trips = 0
            self._enter(BreakerState.HALF_OPEN)
            self._changed(before, "command" if command_id else "manual_local", command_id=command_id)
        self._outbox.tell()

    # -- inside the lock --------------------------------------------------------------------------------------

    @property
    def _visible(self) -> BreakerState:
        if self._forced is not None:
            return self._forced.state
        return BreakerState.METRICS_ONLY if self.policy.shadow else self._state

    def _verdict(self) -> Permit | Rejection:
        self._expire_order()
        now = self._monotonic()
        if self._forced is not None and self._forced.state is BreakerState.FORCED_OPEN:
            until = self._forced.until
            left = (until - self._clock.now()).total_seconds() if until else self.policy.open_s
            return self._refuse(BreakerState.FORCED_OPEN, left, self._forced.reason or "forced open")
        if self._forced is not None:
            return self._permit
        verdict = self._measured(now)
        return self._permit if self.policy.shadow and isinstance(verdict, Rejection) else verdict

    def _measured(self, now: float) -> Permit | Rejection:
        if self._state is BreakerState.OPEN and now >= self._reopen_at:
            self._move(BreakerState.HALF_OPEN, "wait_elapsed")
        if self._state is BreakerState.HALF_OPEN:
            return self._probe(now)
        if self._state is BreakerState.OPEN:
            return self._refuse(BreakerState.OPEN, self._reopen_at - now, "too many calls failed")
        return self._permit

    def _probe(self, now: float) -> Permit | Rejection:
        if any(now - started >= self.policy.probe_s for started in self._probes.values()):
            self._trip("probe_failed", ("TIMEOUT", None))
            return self._refuse(BreakerState.OPEN, self._reopen_at - now, "a trial call never came back")
        if len(self._probes) >= self.policy.probes:
            return self._refuse(BreakerState.HALF_OPEN, 1.0, "a trial call is under way")
        self._next_probe += 1
        self._probes[self._next_probe] = now
        return Permit(self._generation, self._next_probe)

    def _settle(self, permit: Permit, *, failed: bool, slow: bool, seen: Seen | None = None) -> None:
        with self._lock:
            if permit.generation != self._generation:
                return
            if self._forced is not None and self._forced.state is BreakerState.DISABLED:
                return
            self._window.add(self._monotonic(), failed=failed, slow=slow)
            if permit.probe is not None:
                self._probes.pop(permit.probe, None)
                self._judge_probe(good=not failed and not slow, seen=seen)
            elif self._window.failed or self._window.slow:
                self._judge_window(seen)
        self._outbox.tell()

    def _judge_window(self, seen: Seen | None) -> None:
        window, policy = self._window, self.policy
        if self._state is not BreakerState.CLOSED or window.calls < policy.min_calls:
            return
        if window.failure_rate >= policy.failure_rate:
            self._trip("failure_rate", seen)
        elif policy.slow_s is not None and window.slow_rate >= policy.slow_rate:
            self._trip("slow_rate", seen)

    def _judge_probe(self, *, good: bool, seen: Seen | None) -> None:
        if not good:
            self._trip("probe_failed", seen)
            return
        self._successes += 1
        if self._successes >= self.policy.successes:
            self._trips = 0
            self._move(BreakerState.CLOSED, "probe_ok")

    def _trip(self, reason: Reason, seen: Seen | None) -> None:
        cause = Cause(error_type=seen[0], trace_id=seen[1]) if seen else None
        wait = min(self.policy.longest_open_s, self.policy.open_s * 2 ** min(self._trips, 30))
        self._trips += 1
        self._reopen_at = self._monotonic() + wait
        self._move(BreakerState.OPEN, reason, cause=cause, open_s=wait)

    def _move(
        self, to: BreakerState, reason: Reason, *, cause: Cause | None = None, open_s: float = 0.0
    ) -> None:
        """Change the measured state. In shadow mode the event tells why, and that nothing was refused for it."""
        shown = BreakerState.METRICS_ONLY if self.policy.shadow else to
        self._outbox.put(self._visible, shown, reason, cause=cause, window=self._window, open_s=open_s)
        self._enter(to)

    def _enter(self, to: BreakerState) -> None:
        self._state = to
        self._since = self._clock.now()
        self._generation += 1
        self._permit = Permit(self._generation)
        self._probes.clear()
        self._successes = 0
        if to is not BreakerState.OPEN:
            self._window.clear()

    def _expire_order(self) -> None:
        if self._forced is None or self._forced.until is None or self._forced.until > self._clock.now():
            return
        before, gone = self._visible, self._forced
        self._forced = None
        self._changed(before, "wait_elapsed", command_id=gone.command_id)

    def _changed(self, before: BreakerState, reason: Reason, *, command_id: str | None) -> None:
        if before is not self._visible:
            self._since = self._clock.now()
            self._generation += 1
            self._permit = Permit(self._generation)
            self._probes.clear()
            self._outbox.put(before, self._visible, reason, window=self._window, command_id=command_id)

    def _refuse(self, state: BreakerState, retry_after_s: float, reason: str) -> Rejection:
        self._window.not_permitted += 1
        return Rejection(state, max(0.0, retry_after_s), reason)


def _order(state: BreakerState, command: BreakerCommand) -> Forced:
    return Forced(state, command.reason, command.actor, command.expires_at, command.command_id)
