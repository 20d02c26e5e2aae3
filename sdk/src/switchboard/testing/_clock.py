"""A clock that moves when it is told to, so that no suite sleeps."""

import asyncio
import heapq
import itertools
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

START = datetime(2030, 1, 1, 9, 0, tzinfo=UTC)


class _Timer:
    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action
        self.cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeClock:
    """Time that passes only by `advance`, or by somebody sleeping on it.

    A sleep moves the time at once and returns. What was planned for a moment on the way happens first, in order.
    """

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._passed = 0.0
        self._planned: list[tuple[float, int, _Timer]] = []
        self._numbers = itertools.count()
        self._lock = threading.RLock()
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self._passed

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed)

    async def sleep(self, seconds: float) -> None:
        """Note it and move the time; other tasks have a turn, as they have with any sleep."""
        self.sleep_sync(seconds)
        await asyncio.sleep(0)

    def sleep_sync(self, seconds: float) -> None:
        """Note the sleep in `slept` and move the time by it."""
        self.slept.append(seconds)
        self.advance(seconds)

    def call_later(self, seconds: float, action: Callable[[], object]) -> _Timer:
        """Plan something; it happens when the time has moved that far."""
        timer = _Timer(action)
        with self._lock:
            heapq.heappush(self._planned, (self._passed + max(0.0, seconds), next(self._numbers), timer))
        return timer

    def advance(self, seconds: float) -> None:
        """Let this much time pass, and everything happen that was planned for it."""
        until = self._passed + max(0.0, seconds)
        while (due := self._next(until)) is not None:
            due.action()
        self._passed = max(self._passed, until)

    async def advance_async(self, seconds: float) -> None:
        """As `advance`, and let the tasks that were waiting for it run."""
        self.advance(seconds)
        for _ in range(5):
            await asyncio.sleep(0)

    def _next(self, until: float) -> _Timer | None:
        with self._lock:
            while self._planned and self._planned[0][0] <= until:
                moment, _, timer = heapq.heappop(self._planned)
                if not timer.cancelled:
                    self._passed = max(self._passed, moment)
                    return timer
        return None
