"""Threads for tools that are plain functions: few, counted, and gone when they are no longer needed."""

import contextvars
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from switchboard._forks import renew_after_fork

_IDLE_S = 2.0


class TooManyStuck(RuntimeError):
    """So many timed-out functions are still running that no further one may be started."""


class Job:
    """One function running in a thread. It cannot be stopped, only no longer waited for."""

    __slots__ = ("_context", "_function", "_on_start", "abandoned", "future", "started")

    def __init__(self, function: Callable[[], Any], on_start: Callable[[], object] | None) -> None:
        self._function = function
        self._on_start = on_start
        self._context = contextvars.copy_context()
        self.future: Future[Any] = Future()
        self.started: threading.Event = threading.Event()
        self.abandoned: bool = False

    def run(self) -> None:
        """Run it, in the thread that calls this."""
        if not self.future.set_running_or_notify_cancel():
            return
        self.started.set()
        if self._on_start is not None:
            self._on_start()
        try:
            self.future.set_result(self._context.run(self._function))
        except BaseException as exc:  # noqa: BLE001  # it belongs to whoever waits, KeyboardInterrupt included
            self.future.set_exception(exc)


class Workers:
    """At most `limit` threads at once; at most `stuck_limit` of them may be abandoned ones."""

    def __init__(self, *, limit: int = 32, stuck_limit: int = 8) -> None:
        self._limit = limit
        self._stuck_limit = stuck_limit
        self.forked()
        renew_after_fork(self)

    def forked(self) -> None:
        """Begin again: a child process has none of its parent's threads."""
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._threads: set[threading.Thread] = set()
        self._idle = 0
        self._stuck = 0
        self._closings = 0

    @property
    def stuck(self) -> int:
        """Functions that timed out and are still running."""
        return self._stuck

    def submit(self, function: Callable[[], Any], *, on_start: Callable[[], object] | None = None) -> Job:
        """Start the function, or queue it where all threads are busy. `on_start` runs in its thread."""
        with self._changed:
            if self._stuck >= self._stuck_limit:
                raise TooManyStuck(f"{self._stuck} timed-out functions are still running.")
            job = Job(function, on_start)
            self._jobs.append(job)
            if self._idle >= len(self._jobs):
                self._changed.notify()
            elif len(self._threads) < self._limit:
                thread = threading.Thread(
                    target=self._work, args=(self._closings,), name="switchboard-tool", daemon=True
                )
                self._threads.add(thread)
                thread.start()
        return job

    def abandon(self, job: Job, late: Callable[[Future[Any]], object] | None = None) -> None:
        """Stop waiting for a job. `late` is told how it ended after all."""
        with self._changed:
            if not job.future.done():
                job.abandoned = not job.future.cancel()
                self._stuck += job.abandoned
        if late is not None and not job.future.cancelled():
            job.future.add_done_callback(late)

    def close(self) -> None:
        """Let every idle thread end now. A stuck one ends when its function does."""
        with self._changed:
            self._closings += 1
            self._changed.notify_all()
            threads, stuck = list(self._threads), self._stuck
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(timeout=0.1 if stuck else 5.0)

    def _work(self, closings: int) -> None:
        while (job := self._next(closings)) is not None:
            job.run()
            with self._changed:
                self._stuck -= job.abandoned

    def _next(self, closings: int) -> Job | None:
        """The next job; None when there is none for a while, or the workers were closed, and the thread is to end."""
        with self._changed:
            while not self._jobs:
                self._idle += 1
                woken = closings == self._closings and self._changed.wait(_IDLE_S)
                self._idle -= 1
                if not woken and not self._jobs:
                    self._threads.discard(threading.current_thread())
                    return None
            return self._jobs.popleft()
