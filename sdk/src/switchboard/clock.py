"""Time as a thing that is passed in, so that no test of an agent has to wait for it."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol


class Timer(Protocol):
    """What a clock returns for something that will happen later."""

    def cancel(self) -> None:
        """Let it not happen."""
        ...


class Clock(Protocol):
    """Seconds that only grow, the date on the wall, and two ways to wait."""

    def monotonic(self) -> float:
        """Seconds that only grow."""
        ...

    def now(self) -> datetime:
        """The date and time, with a zone."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait in an event loop."""
        ...

    def sleep_sync(self, seconds: float) -> None:
        """Wait without one."""
        ...

    def call_later(self, seconds: float, action: Callable[[], object]) -> Timer:
        """Run `action` in the running event loop after `seconds`."""
        ...


class SystemClock:
    """The real one."""

    monotonic: Callable[[], float] = staticmethod(time.monotonic)

    def now(self) -> datetime:
        """The date and time in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait in the running event loop."""
        await asyncio.sleep(seconds)

    def sleep_sync(self, seconds: float) -> None:
        """Block the thread."""
        time.sleep(seconds)

    def call_later(self, seconds: float, action: Callable[[], object]) -> Timer:
        """Run `action` in the running event loop after `seconds`."""
        return asyncio.get_running_loop().call_later(seconds, action)
