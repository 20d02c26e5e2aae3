"""Skips the calls that would not help: the same question again, with nothing changed in between."""

import threading
from collections import Counter

from switchboard.clock import Clock
from switchboard.logical import LogicalCall
from switchboard.result import Result
from switchboard.vocabulary import Effect, FailureClass, FilterMode, Outcome

_KEPT = 1000


class CallFilter:
    """What one session has asked. Only reads are ever skipped, and never after a write to what they read."""

    def __init__(self, clock: Clock, mode: FilterMode = "on") -> None:
        self._clock = clock
        self._mode = mode
        self._answers: dict[str, tuple[float, int, Result]] = {}
        self._writes: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.would_skip: int = 0

    def known(self, call: LogicalCall) -> Result | None:
        """The earlier answer to the same read, when it still stands. In shadow mode it is only counted."""
        if self._mode == "off" or not self._answers or call.tool.effect is not Effect.READ:
            return None
        kept = self._answers.get(call.fingerprint)
        if kept is None:
            return None
        at, writes, result = kept
        stale = self._clock.monotonic() - at >= call.tool.max_age_s
        if stale or self._writes[_resource(call)] != writes:
            return None
        self.would_skip += 1
        return result if self._mode == "on" else None

    def useless(self, call: LogicalCall) -> bool:
        """Whether the caller's log-likelihoods say that the answer would change nothing."""
        if self._mode == "off" or call.tool.effect is not Effect.READ or call.likelihoods is None:
            return False
        if call.likelihoods.worth_it():
            return False
        self.would_skip += 1
        return self._mode == "on"

    def remember(self, call: LogicalCall, result: Result) -> None:
        """Keep what a read answered; note that a write may have changed it."""
        if self._mode == "off":
            return
        with self._lock:
            if call.tool.effect is not Effect.READ:
                self._writes[_resource(call)] += 1
            elif result.outcome is not Outcome.DEGRADED and (
                result.error is None or result.error.class_ is FailureClass.EMPTY
            ):
                self._answers[call.fingerprint] = (
                    self._clock.monotonic(),
                    self._writes[_resource(call)],
                    result,
                )
                if len(self._answers) > _KEPT:
                    del self._answers[next(iter(self._answers))]


def _resource(call: LogicalCall) -> str:
    return call.tool.resource or call.tool.dependency
