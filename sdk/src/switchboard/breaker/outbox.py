"""The transitions of one breaker, gathered under its lock and told outside of it."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Literal

from switchboard.breaker.policy import BreakerPolicy
from switchboard.breaker.window import SlidingWindow
from switchboard.clock import Clock
from switchboard.vocabulary import BreakerState
from switchboard.wire import BreakerEvent, Cause, Thresholds, Window

Reason = Literal[
    "failure_rate", "slow_rate", "probe_failed", "probe_ok", "wait_elapsed", "manual_local", "command"
]
Listener = Callable[[BreakerEvent], object]

_log = logging.getLogger("switchboard")


class Outbox:
    """Nothing a listener does can hold or break a call."""

    def __init__(self, name: str, policy: BreakerPolicy, *, clock: Clock, listener: Listener | None) -> None:
        self._name = name
        self._policy = policy
        self._clock = clock
        self._listener = listener
        self._lock = threading.Lock()
        self._waiting: list[BreakerEvent] = []

    def put(
        self,
        before: BreakerState,
        after: BreakerState,
        reason: Reason,
        *,
        window: SlidingWindow,
        cause: Cause | None = None,
        command_id: str | None = None,
        open_s: float = 0.0,
    ) -> None:
        """Note one transition, with what was counted up to it."""
        policy, now = self._policy, self._clock.now()
        limits = Thresholds(
            failure_rate=policy.failure_rate,
            slow_rate=policy.slow_rate if policy.slow_s is not None else None,
            min_calls=policy.min_calls,
            wait_s=policy.open_s,
        )
        self._waiting.append(
            BreakerEvent(
                breaker=self._name,
                from_state=before,
                to_state=after,
                reason=reason,
                occurred_at=now,
                window=counts(window),
                thresholds=limits,
                class_counts=dict(window.classes) or None,
                open_until=now + timedelta(seconds=open_s) if open_s else None,
                trigger=cause,
                command_id=command_id,
            )
        )

    def tell(self) -> None:
        """Tell what has happened, in order."""
        if not self._waiting:
            return
        with self._lock:
            events, self._waiting = self._waiting, []
            for event in events:
                self._one(event)

    def _one(self, event: BreakerEvent) -> None:
        if self._listener is None:
            return
        try:
            self._listener(event)
        except Exception:  # noqa: BLE001  # nothing a listener does may reach a call
            _log.exception("A breaker listener failed; the call goes on.")


def counts(window: SlidingWindow) -> Window:
    """What is in the window, for an event or a heartbeat."""
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
