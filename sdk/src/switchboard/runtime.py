"""Two ways to wait. The path of a call is written once; what differs between sync and async is here.

`AsyncRuntime` waits in the event loop. `SyncRuntime` blocks, so a coroutine that waits only through it runs to its
end without a loop: `drive` does that.
"""

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, Protocol, TypeVar

from switchboard.begun import Begun
from switchboard.clock import Clock
from switchboard.workers import Job, Workers

T = TypeVar("T")
_AT_ONCE = 50  # answers without a wait, after which other tasks are let in
Late = Callable[[Any, BaseException | None], object]


class AttemptTimeout(Exception):
    """The attempt took longer than it may. `still_running`: its function could not be stopped."""

    def __init__(self, timeout_s: float, *, still_running: bool) -> None:
        self.timeout_s = timeout_s
        self.still_running = still_running
        super().__init__(f"no answer within {timeout_s:g} s")


class CancelledInside(Exception):
    """The tool cancelled itself; nobody asked this program to stop."""


class Runtime(Protocol):
    """How one call waits."""

    is_async: bool

    @property
    def owes_a_turn(self) -> bool:
        """Whether other tasks have not come to their turn for long."""
        ...

    async def give_way(self) -> None:
        """Let other tasks run."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    async def attempt(
        self,
        function: Callable[..., Any],
        kwargs: dict[str, Any],
        *,
        is_async: bool,
        timeout_s: float,
        grace_s: float,
        late: Late,
    ) -> Any:
        """Run the function; raise AttemptTimeout after `timeout_s`. `late` hears of an end that came after that."""
        ...

    async def invoke(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a hook, sync or async, and wait for it."""
        ...


class AsyncRuntime:
    """Inside an event loop."""

    is_async = True

    def __init__(self, clock: Clock, workers: Workers) -> None:
        self._clock = clock
        self._workers = workers
        self._at_once = 0

    @property
    def owes_a_turn(self) -> bool:
        """Answers that come at once leave no other task its turn."""
        return self._at_once >= _AT_ONCE

    async def give_way(self) -> None:
        """Let the loop turn."""
        self._at_once = 0
        await asyncio.sleep(0)

    async def sleep(self, seconds: float) -> None:
        """Wait in the event loop."""
        await self._clock.sleep(seconds)

    async def invoke(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a hook in the loop."""
        value = function(*args)
        return await value if inspect.isawaitable(value) else value

    async def attempt(
        self,
        function: Callable[..., Any],
        kwargs: dict[str, Any],
        *,
        is_async: bool,
        timeout_s: float,
        grace_s: float,
        late: Late,
    ) -> Any:
        """Run a coroutine as a task of its own, a plain function in a thread."""
        if not is_async:
            return await self._in_thread(function, kwargs, timeout_s, late)
        loop, began = asyncio.get_running_loop(), self._clock.monotonic()
        work = Begun(function(**kwargs))
        task = work.start(loop)
        if work.ended:
            self._at_once += 1
            return _own(work)
        waiter: asyncio.Future[bool] = loop.create_future()
        work.on_end = lambda: _settle(waiter, in_time=True)
        left_s = began + timeout_s - self._clock.monotonic()
        if not await self._in_time(waiter, left_s, task, grace_s, late):
            stopped = await self._stopped(task, grace_s, late)
            raise AttemptTimeout(timeout_s, still_running=not stopped)
        if task.cancelled():
            raise CancelledInside("the tool was cancelled from inside")
        return task.result()

    async def _in_time(
        self,
        waiter: "asyncio.Future[bool]",
        left_s: float,
        task: asyncio.Task[Any],
        grace_s: float,
        late: Late,
    ) -> bool:
        """Wait for the end of a tool, as long as it may take."""
        if left_s <= 0:
            return False
        timer = self._clock.call_later(left_s, lambda: _settle(waiter, in_time=False))
        try:
            return await waiter
        except asyncio.CancelledError:
            await self._stopped(task, grace_s, late)
            raise
        finally:
            timer.cancel()

    async def _stopped(self, task: asyncio.Task[Any], grace_s: float, late: Late) -> bool:
        """Cancel a tool and give it its grace to clean up. An end that comes later is told to `late`."""
        task.cancel()
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        task.add_done_callback(lambda ended: _tell_late(ended, late))
        task.add_done_callback(lambda _: _settle(waiter, in_time=True))
        timer = self._clock.call_later(grace_s, lambda: _settle(waiter, in_time=False))
        try:
            return await waiter
        finally:
            timer.cancel()

    async def _in_thread(
        self, function: Callable[..., Any], kwargs: dict[str, Any], timeout_s: float, late: Late
    ) -> Any:
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bool] = loop.create_future()
        timers: list[Any] = []

        def begin() -> None:  # time in the queue is not the tool's time
            if not waiter.done():
                timers.append(self._clock.call_later(timeout_s, lambda: _settle(waiter, in_time=False)))

        job = self._workers.submit(lambda: function(**kwargs), on_start=lambda: _soon(loop, begin))
        job.future.add_done_callback(lambda _: _soon(loop, lambda: _settle(waiter, in_time=True)))
        try:
            in_time = await waiter
        except asyncio.CancelledError:
            self._workers.abandon(job)
            raise
        finally:
            for timer in timers:
                timer.cancel()
        if not in_time:
            self._workers.abandon(job, lambda ended: _tell_late(ended, late))
            raise AttemptTimeout(timeout_s, still_running=True)
        return job.future.result()


class SyncRuntime:
    """Without an event loop: everything blocks."""

    is_async = False
    owes_a_turn = False

    def __init__(self, clock: Clock, workers: Workers) -> None:
        self._clock = clock
        self._workers = workers

    async def give_way(self) -> None:
        """Nobody else waits for this thread."""

    async def sleep(self, seconds: float) -> None:
        """Block."""
        self._clock.sleep_sync(seconds)

    async def invoke(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a hook here; a coroutine in a loop of its own."""
        value = function(*args)
        return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value

    async def attempt(
        self,
        function: Callable[..., Any],
        kwargs: dict[str, Any],
        *,
        is_async: bool,
        timeout_s: float,
        grace_s: float,
        late: Late,
    ) -> Any:
        """Run a plain function in a thread, a coroutine in a loop of its own."""
        if is_async:
            runtime = AsyncRuntime(self._clock, self._workers)
            work = runtime.attempt(
                function, kwargs, is_async=True, timeout_s=timeout_s, grace_s=grace_s, late=late
            )
            return asyncio.run(work)
        job = self._workers.submit(lambda: function(**kwargs))
        job.started.wait()
        try:
            return job.future.result(timeout=timeout_s)
        except FutureTimeout:
            return self._overran(job, timeout_s, late)

    def _overran(self, job: Job, timeout_s: float, late: Late) -> Any:
        """A `TimeoutError` here is either ours or the function's own: a finished job's is its own."""
        if job.future.done():
            return job.future.result()
        self._workers.abandon(job, lambda ended: _tell_late(ended, late))
        raise AttemptTimeout(timeout_s, still_running=True)


def drive(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits only through a SyncRuntime. Raises RuntimeError inside a running event loop."""
    if _in_a_loop():
        coroutine.close()
        raise RuntimeError("This blocks, and an event loop is running: use `await toolbox.call(...)`.")
    return _driven(coroutine)


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _driven(coroutine: Coroutine[Any, Any, T]) -> T:
    try:
        coroutine.send(None)
    except StopIteration as stop:
        value: T = stop.value
        return value
    coroutine.close()
    raise RuntimeError(
        "Something on the blocking path waited for an event loop; that is a bug in switchboard."
    )


def _own(work: Begun) -> Any:
    """What a tool made of its first step. Nobody can have cancelled it from outside in between."""
    try:
        return work.outcome()
    except asyncio.CancelledError as exc:
        raise CancelledInside("the tool was cancelled from inside") from exc


def _settle(waiter: "asyncio.Future[bool]", *, in_time: bool) -> None:
    if not waiter.done():
        waiter.set_result(in_time)


async def _awaited(value: Any) -> Any:
    return await value


def _soon(loop: asyncio.AbstractEventLoop, action: Callable[[], object]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(action)


def _tell_late(ended: "asyncio.Task[Any] | Future[Any]", late: Late) -> None:
    if not ended.cancelled():
        error = ended.exception()
        late(None if error else ended.result(), error)
