"""The circuit breaker of one dependency.

It counts attempts over a sliding time window and opens on the share of failed or slow ones. Only what says something
about the dependency counts; everything else is neutral and gives its permit back. The lock is held for bookkeeping,
never during a call.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from switchboard.breaker_window import SlidingWindow
from switchboard.clock import Clock
from switchboard.vocabulary import BreakerState
from switchboard.wire import (
    BreakerCommand,
    BreakerEvent,
    BreakerSnapshot,
    Cause,
    Obeyed,
    Thresholds,
    Verb,
    Window,
)

Reason = Literal[
    "failure_rate", "slow_rate", "probe_failed", "probe_ok", "wait_elapsed", "manual_local", "command"
]
Listener = Callable[[BreakerEvent], object]

_log = logging.getLogger("switchboard")
_PASSING = frozenset({BreakerState.DISABLED, BreakerState.METRICS_ONLY})


@dataclass(frozen=True, slots=True)
class BreakerPolicy:
    """When a breaker opens and how it tries again. Times are seconds.

    It opens when the share of failures reaches `failure_rate`, or of calls slower than `slow_s` reaches `slow_rate`,
    with at least `min_calls` in `window_s`. After `open_s` (doubled for each failed trial, up to `longest_open_s`) it
    lets `probes` calls run at once and closes after `successes` good ones. A probe that has not settled after
    `probe_s` has failed. `shadow` records all of this and never refuses a call.
    """

    failure_rate: float = 0.5
    min_calls: int = 5
    window_s: float = 60.0
    slow_s: float | None = None
    slow_rate: float = 0.8
    open_s: float = 30.0
    longest_open_s: float = 300.0
    probes: int = 1
    successes: int = 2
    probe_s: float = 120.0
    shadow: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.failure_rate <= 1 or not 0 < self.slow_rate <= 1:
            raise ValueError("failure_rate and slow_rate are shares above 0, up to 1.")
        if min(self.min_calls, self.probes, self.successes) < 1:
            raise ValueError("min_calls, probes and successes are at least 1.")


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to make one call. Give it back with success, failure or neutral."""

    generation: int
    probe: int | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """No leave: the dependency is not called at all."""

    state: BreakerState
    retry_after_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class Forced:
    """What the console, or a person in this process, has ordered, and until when."""

    state: BreakerState
    reason: str
    actor: str = ""
    until: datetime | None = None
    command_id: str | None = None


class Breaker:
    """One dependency's breaker. Safe to share between threads and tasks."""

    def __init__(
        self, name: str, policy: BreakerPolicy, *, clock: Clock, listener: Listener | None = None
    ) -> None:
        self.name = name
        self.policy = policy
        self._clock = clock
        self._listener = listener
        self._lock = threading.Lock()
        self._window = SlidingWindow(policy.window_s)
        self._state = BreakerState.CLOSED
        self._forced: Forced | None = None
        self._generation = 0
        self._since = clock.now()
        self._reopen_at = 0.0
        self._trips = 0
        self._probes: dict[int, float] = {}
        self._next_probe = 0
        self._successes = 0
        self._events: list[BreakerEvent] = []

    # -- one call ---------------------------------------------------------------------------------------------

    def acquire(self) -> Permit | Rejection:
        """Ask to make one call."""
        with self._lock:
            verdict = self._verdict()
        self._tell()
        return verdict

    def success(self, permit: Permit, duration_s: float) -> None:
        """The dependency answered as it should, in `duration_s`."""
        slow = self.policy.slow_s is not None and duration_s >= self.policy.slow_s
        self._settle(permit, failed=False, slow=slow, cause=None)

    def failure(self, permit: Permit, duration_s: float, *, error: str, trace_id: str | None = None) -> None:
        """The dependency failed: a timeout, a reset, a 5xx."""
        slow = self.policy.slow_s is not None and duration_s >= self.policy.slow_s
        self._settle(permit, failed=True, slow=slow, cause=Cause(error_type=error, trace_id=trace_id))

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
            self._window.forget(self._clock.monotonic())
            seen = BreakerSnapshot(state=self._visible, since=self._since, window=self._counts())
        self._tell()
        return seen

    # -- orders -----------------------------------------------------------------------------------------------

    def obey(self, command: BreakerCommand) -> Obeyed:
        """Do what the console says. An order that has expired is not carried out."""
        if command.expires_at is not None and command.expires_at <= self._clock.now():
            return Obeyed.EXPIRED
        expected = command.expected_state
        if expected is not None and expected != self.state.value:
            return Obeyed.REFUSED
        given = {"reason": command.reason, "actor": command.actor, "command_id": command.command_id}
        match command.verb:
            case Verb.FORCE_OPEN:
                self.force(Forced(BreakerState.FORCED_OPEN, until=command.expires_at, **given))
            case Verb.DISABLE:
                self.force(Forced(BreakerState.DISABLED, until=command.expires_at, **given))
            case Verb.RELEASE:
                self.release(command_id=command.command_id)
            case Verb.RESET:
                self.reset(command_id=command.command_id)
            case _:
                return Obeyed.UNSUPPORTED
        return Obeyed.APPLIED

    def force(self, order: Forced) -> None:
        """An order beats what was measured until it is released or its time is over."""
        with self._lock:
            before = self._visible
            self._forced = order
            self._changed(
                before, "command" if order.command_id else "manual_local", command_id=order.command_id
            )
        self._tell()

    def release(self, *, command_id: str | None = None) -> None:
        """Back to what was measured."""
        with self._lock:
            before, self._forced = self._visible, None
            self._changed(before, "command" if command_id else "manual_local", command_id=command_id)
        self._tell()

    def reset(self, *, command_id: str | None = None) -> None:
        """Let a probe decide, instead of believing anybody that it is well again."""
        with self._lock:
            before, self._forced = self._visible, None
            self._trips = 0
            self._enter(BreakerState.HALF_OPEN)
            self._changed(before, "command" if command_id else "manual_local", command_id=command_id)
        self._tell()

    # -- inside the lock --------------------------------------------------------------------------------------

    @property
    def _visible(self) -> BreakerState:
        if self._forced is not None:
            return self._forced.state
        return BreakerState.METRICS_ONLY if self.policy.shadow else self._state

    def _verdict(self) -> Permit | Rejection:
        self._expire_order()
        now = self._clock.monotonic()
        if self._forced is not None and self._forced.state is BreakerState.FORCED_OPEN:
            until = self._forced.until
            left = (until - self._clock.now()).total_seconds() if until else self.policy.open_s
            return self._refuse(BreakerState.FORCED_OPEN, left, self._forced.reason or "forced open")
        if self._visible in _PASSING:
            return Permit(self._generation)
        if self._state is BreakerState.OPEN and now >= self._reopen_at:
            self._move(BreakerState.HALF_OPEN, "wait_elapsed")
        if self._state is BreakerState.HALF_OPEN:
            return self._probe(now)
        if self._state is BreakerState.OPEN:
            return self._refuse(BreakerState.OPEN, self._reopen_at - now, "too many calls failed")
        return Permit(self._generation)

    def _probe(self, now: float) -> Permit | Rejection:
        if any(now - started >= self.policy.probe_s for started in self._probes.values()):
            self._trip("probe_failed", Cause(error_type="TIMEOUT"))
            return self._refuse(BreakerState.OPEN, self._reopen_at - now, "a trial call never came back")
        if len(self._probes) >= self.policy.probes:
            return self._refuse(BreakerState.HALF_OPEN, 1.0, "a trial call is under way")
        self._next_probe += 1
        self._probes[self._next_probe] = now
        return Permit(self._generation, self._next_probe)

    def _settle(self, permit: Permit, *, failed: bool, slow: bool, cause: Cause | None) -> None:
        with self._lock:
            if permit.generation == self._generation:
                self._count(permit, failed=failed, slow=slow, cause=cause)
        self._tell()

    def _count(self, permit: Permit, *, failed: bool, slow: bool, cause: Cause | None) -> None:
        if self._forced is not None and self._forced.state is BreakerState.DISABLED:
            return
        self._window.add(self._clock.monotonic(), failed=failed, slow=slow)
        if permit.probe is not None:
            self._probes.pop(permit.probe, None)
            self._judge_probe(good=not failed and not slow, cause=cause)
        elif self._state is BreakerState.CLOSED and self._window.calls >= self.policy.min_calls:
            if self._window.failure_rate >= self.policy.failure_rate:
                self._trip("failure_rate", cause)
            elif self.policy.slow_s is not None and self._window.slow_rate >= self.policy.slow_rate:
                self._trip("slow_rate", cause)

    def _judge_probe(self, *, good: bool, cause: Cause | None) -> None:
        if not good:
            self._trip("probe_failed", cause)
            return
        self._successes += 1
        if self._successes >= self.policy.successes:
            self._trips = 0
            self._move(BreakerState.CLOSED, "probe_ok")

    def _trip(self, reason: Reason, cause: Cause | None) -> None:
        wait = min(self.policy.longest_open_s, self.policy.open_s * 2 ** min(self._trips, 30))
        self._trips += 1
        self._reopen_at = self._clock.monotonic() + wait
        self._move(BreakerState.OPEN, reason, cause=cause, open_s=wait)

    def _move(
        self, to: BreakerState, reason: Reason, *, cause: Cause | None = None, open_s: float = 0.0
    ) -> None:
        before, counted = self._visible, self._counts()
        measured_before = self._state
        self._enter(to)
        if self.policy.shadow and self._forced is None:
            before, after = measured_before, to  # in shadow mode the events tell what would have been
        else:
            after = self._visible
        self._event(before, after, reason, cause=cause, window=counted, open_s=open_s)

    def _enter(self, to: BreakerState) -> None:
        self._state = to
        self._since = self._clock.now()
        self._generation += 1
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
            self._probes.clear()
            self._event(before, self._visible, reason, window=self._counts(), command_id=command_id)

    def _refuse(self, state: BreakerState, retry_after_s: float, reason: str) -> Rejection:
        self._window.not_permitted += 1
        return Rejection(state, max(0.0, retry_after_s), reason)

    def _counts(self) -> Window:
        window = self._window
        return Window(
            type="time",
            size=window.size_s,
            calls=window.calls,
            failed=window.failed,
            slow=window.slow,
            not_permitted=window.not_permitted,
            ignored=window.ignored,
            failure_rate=round(window.failure_rate, 4),
        )

    def _event(  # noqa: PLR0913 - the fields of one event
        self,
        before: BreakerState,
        after: BreakerState,
        reason: Reason,
        *,
        window: Window,
        cause: Cause | None = None,
        command_id: str | None = None,
        open_s: float = 0.0,
    ) -> None:
        policy, now = self.policy, self._clock.now()
        limits = Thresholds(
            failure_rate=policy.failure_rate,
            slow_rate=policy.slow_rate if policy.slow_s is not None else None,
            min_calls=policy.min_calls,
            wait_s=policy.open_s,
        )
        self._events.append(
            BreakerEvent(
                breaker=self.name,
                from_state=before,
                to_state=after,
                reason=reason,
                occurred_at=now,
                window=window,
                thresholds=limits,
                class_counts=dict(self._window.classes) or None,
                open_until=now + timedelta(seconds=open_s) if open_s else None,
                trigger=cause,
                command_id=command_id,
            )
        )

    # -- outside the lock -------------------------------------------------------------------------------------

    def _tell(self) -> None:
        if not self._events:
            return
        with self._lock:
            events, self._events = self._events, []
        for event in events:
            if self._listener is None:
                continue
            try:
                self._listener(event)
            except Exception:
                _log.exception("A breaker listener failed; the call goes on.")
