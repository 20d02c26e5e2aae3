"""Where the SDK's own coroutines run: one daemon thread with an event loop, for sync and async callers alike."""

import asyncio
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

from switchboard._errors import Closed
from switchboard._quiet import quiet

T = TypeVar("T")
Future = concurrent.futures.Future
STOPPED = "The Switchboard client has been closed."


class Engine(Protocol):
    """Runs the one set of coroutines that both kinds of client share."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Give the result to a thread."""
        ...

    async def join(self, work: Coroutine[Any, Any, T]) -> T:
        """Give the result to a coroutine of any event loop."""
        ...

    def wait(self, future: "Future[T]", timeout_s: float | None) -> T:
        """Give what is set on `future`; TimeoutError when nothing is in time."""
        ...

    async def wait_async(self, future: "Future[T]", timeout_s: float | None) -> T:
        """As `wait`, for a coroutine."""
        ...


class ThreadEngine:
    """The real one. The thread starts with the first piece of work and ends with `stop`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._halt: asyncio.Event | None = None
        self._stopped = False
        self._cleanups: list[Callable[[], Awaitable[None]]] = []
        self._ours: set[asyncio.Task[Any]] = set()

    def submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Start `work` and give its future; raise Closed after `stop`."""
        try:
            loop = self._running()
            return asyncio.run_coroutine_threadsafe(self._tracked(work), loop)
        except (Closed, RuntimeError) as exc:
            work.close()
            raise Closed(STOPPED) from exc

    def soon(self, action: Callable[[], object]) -> None:
        """Run a short function in the loop, if there is one."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with quiet("waking its own thread"):
                loop.call_soon_threadsafe(action)

    def at_stop(self, cleanup: Callable[[], Awaitable[None]]) -> None:
        """Remember what to close, last first, when the engine stops."""
        self._cleanups.append(cleanup)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError(
                "A breaker or listener must not wait for the console inside Switchboard's own thread."
            )
        future = self.submit(work)
        try:
            return future.result()
        except concurrent.futures.CancelledError as exc:
            raise Closed(STOPPED) from exc
        except BaseException:
            future.cancel()  # Ctrl-C in the caller stops the work too
            raise

    async def join(self, work: Coroutine[Any, Any, T]) -> T:
        return await self.wait_async(self.submit(work), None)

    def wait(self, future: "Future[T]", timeout_s: float | None) -> T:
        return future.result(timeout_s)

    async def wait_async(self, future: "Future[T]", timeout_s: float | None) -> T:
        try:
            async with asyncio.timeout(timeout_s):
                return await asyncio.wrap_future(future)
        except asyncio.CancelledError as exc:
            task = asyncio.current_task()
            if future.cancelled() and (task is None or not task.cancelling()):
                raise Closed(STOPPED) from exc  # the engine stopped; nobody cancelled the caller
            raise

    def stop(self, timeout_s: float) -> None:
        """End every piece of work, close what was opened, and the thread. Safe to call twice."""
        with self._lock:
            self._stopped = True
            thread, halt = self._thread, self._halt
        if thread is None or halt is None:
            return
        self.soon(halt.set)
        if threading.current_thread() is not thread:
            thread.join(timeout_s)

    @property
    def alive(self) -> bool:
        """Whether the thread is there."""
        return self._thread is not None and self._thread.is_alive()

    def hold_still(self, timeout_s: float) -> Callable[[], None]:
        """Bring the thread to a stop between two pieces of work, until what this gives is called.

        A child that is forked while this thread imports a module or holds a library's lock would wait for it for ever.
        """
        still, go_on = threading.Event(), threading.Event()

        def stand() -> None:
            still.set()
            go_on.wait(timeout_s)

        if self.alive and threading.current_thread() is not self._thread:
            self.soon(stand)
            still.wait(timeout_s)
        return go_on.set

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._stopped:
                raise Closed(STOPPED)
            if self._loop is None:
                ready = threading.Event()
                self._thread = threading.Thread(
                    target=self._main, args=(ready,), name="switchboard", daemon=True
                )
                self._thread.start()
                ready.wait()
            if self._loop is None:
                raise Closed("Switchboard's own thread could not start.")
            return self._loop

    def _main(self, ready: threading.Event) -> None:
        # A plain selector loop, whatever policy the host has set: nothing here needs the host's.
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self._serve(ready))

    async def _tracked(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        if task is None or (self._halt is not None and self._halt.is_set()):
            work.close()
            raise Closed(STOPPED)
        self._ours.add(task)
        try:
            return await work
        finally:
            self._ours.discard(task)

    async def _serve(self, ready: threading.Event) -> None:
        self._halt = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        ready.set()
        await self._halt.wait()
        await asyncio.sleep(0)  # what was submitted a moment ago begins, and is told below
        # Our own pieces of work only: what a library has begun inside them is the library's to cancel.
        for task in tuple(self._ours):
            task.cancel()
        await asyncio.gather(*self._ours, return_exceptions=True)
        for cleanup in reversed(self._cleanups):
            with quiet("closing a connection"):
                await cleanup()
