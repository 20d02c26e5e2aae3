"""Threads for tools that are plain functions: few, counted, and gone when they are no longer needed."""

import contextvars
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

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
        self.started = threading.Event()
        self.abandoned = False

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
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._idle = 0
        self._stuck = 0

    @property
    def stuck(self) -> int:
        """Functions that timed out and are still running."""
        return self._stuck

    def submit(self, function: Callable[[], Any], *, on_start: Callable[[], object] | None = None) -> Job:
        """Start the function, or queue it where all threads are busy. `on_start` runs in its thread."""
        with self._lock:
            if self._stuck >= self._stuck_limit:
                raise TooManyStuck(f"{self._stuck} timed-out functions are still running.")
            job = Job(function, on_start)
            self._jobs.put(job)
            if self._idle < self._jobs.qsize() and len(self._threads) < self._limit:
                thread = threading.Thread(target=self._work, name="switchboard-tool", daemon=True)
                self._threads.add(thread)
                thread.start()
        return job

    def abandon(self, job: Job, late: Callable[[Future[Any]], object] | None = None) -> None:
        """Stop waiting for a job. `late` is told how it ended after all."""
        with self._lock:
            if job.future.done():
                stuck = False
            else:
                stuck = job.abandoned = not job.future.cancel()
                self._stuck += stuck
        if late is not None and not job.future.cancelled():
            job.future.add_done_callback(late)

    def close(self) -> None:
        """Let every idle thread end now. A stuck one ends when its function does."""
        with self._lock:
            threads = list(self._threads)
        for _ in threads:
            self._jobs.put(None)
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(timeout=0.0 if self._stuck else 5.0)

    def _work(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            try:
                job = self._jobs.get(timeout=_IDLE_S)
            except queue.Empty:
                job = None
            with self._lock:
                self._idle -= 1
                if job is None and self._jobs.empty():
                    self._threads.discard(threading.current_thread())
                    return
            if job is None:
                continue
            job.run()
            with self._lock:
                self._stuck -= job.abandoned
