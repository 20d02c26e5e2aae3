"""Time as a thing that is passed in, so that no test of an agent has to wait for it."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol


class Timer(Protocol):
    """What a clock returns for something that will happen later."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Seconds that only grow, the date on the wall, and two ways to wait."""

    def monotonic(self) -> float: ...

    def now(self) -> datetime: ...

    async def sleep(self, seconds: float) -> None: ...

    def sleep_sync(self, seconds: float) -> None: ...

    def call_later(self, seconds: float, action: Callable[[], object]) -> Timer:
        """Run `action` in the running event loop after `seconds`."""
        ...


class SystemClock:
    """The real one."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def sleep_sync(self, seconds: float) -> None:
        time.sleep(seconds)

    def call_later(self, seconds: float, action: Callable[[], object]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, action)
