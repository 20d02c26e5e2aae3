"""Runs the SDK's coroutines where they are called: no thread, no event loop, no waiting."""

import asyncio
import concurrent.futures
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from switchboard.testing._clock import FakeClock

T = TypeVar("T")


class InlineEngine:
    """What the coroutines wait for answers at once, so each runs to its end in one go."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            while work.send(None) is None:
                pass  # it lets others go first, and there are no others
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]  # StopIteration carries it untyped
        work.close()
        raise RuntimeError(
            "Something under a fake console waited for real. That is a bug in switchboard.testing."
        )

    async def join(self, work: Coroutine[Any, Any, T]) -> T:
        return self.run(work)

    def wait(self, future: "Future[T]", timeout_s: float | None) -> T:
        """Give what is set; if nothing is, let the timeout pass on the fake clock, for nobody else could decide."""
        if not future.done() and timeout_s is not None:
            self._clock.advance(timeout_s)
        if not future.done() and timeout_s is None:
            raise AssertionError(
                "wait() would wait for ever: nobody has decided. Call decide() first, set on_open, or give a timeout."
            )
        if not future.done():
            raise TimeoutError
        return future.result(0)

    async def wait_async(self, future: "Future[T]", timeout_s: float | None) -> T:
        """Wait for another task to decide, or for the fake clock to pass the timeout."""
        late = threading.Event()
        timer = None
        if timeout_s is not None:
            timer = self._clock.call_later(timeout_s, lambda: _give_up(future, late))
        try:
            return await asyncio.wrap_future(future)
        except (asyncio.CancelledError, concurrent.futures.CancelledError):
            if late.is_set():
                raise TimeoutError from None
            raise
        finally:
            if timer is not None:
                timer.cancel()


def _give_up(future: "Future[Any]", late: threading.Event) -> None:
    late.set()
    future.cancel()
