"""Reports calls in the background. Whatever happens here, the agent neither waits nor hears of it."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import fields, replace

from switchboard._batch import MOST_CALLS
from switchboard._pump import Pump
from switchboard._queue import Queue, Stats
from switchboard._quiet import fault, log, once

GRACE_S = 1.0


class Reporter:
    """A queue, and a daemon thread that empties it. It knows its process: after a fork it starts anew."""

    def __init__(
        self, *, queue: Queue, stats: Stats, pump: Pump, abort: Callable[[], None], threaded: bool = True
    ) -> None:
        self._queue = queue
        self._stats = stats
        self._pump = pump
        self._abort = abort
        self._threaded = threaded
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._gate = threading.Event()
        self._moved = threading.Condition()
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None
        self._hurry = 0
        self._until: float | None = None

    def put(self, call_id: str, item: bytes) -> None:
        """Queue one call. Never waits for the network or the disk."""
        if self._pid != os.getpid():
            self.forked()
        if self._closed:
            if once("reported after close"):
                log.warning("A call was reported after the client was closed; it is not sent.")
            return
        waiting = self._queue.put(call_id, item)
        if not self._threaded:
            self._empty()
        elif waiting in {1, MOST_CALLS} or self._thread is None:
            self._ensure()
            self._gate.set()

    def flush(self, deadline_s: float) -> bool:
        """Wait until nothing is left to send; False when the deadline came first."""
        if self._pid != os.getpid():
            self.forked()
        if not self._threaded:
            self._empty()
            return self._pump.empty
        if self._pump.empty:
            return True
        if self._closed:
            return False
        self._ensure()
        with self._moved:
            self._hurry += 1
            self._gate.set()
            try:
                return self._moved.wait_for(lambda: self._pump.empty, deadline_s)
            finally:
                self._hurry -= 1

    def close(self, deadline_s: float) -> None:
        """Send what can be sent before the deadline, keep the rest on disk, end the thread."""
        if self._closed:
            return
        self._closed = True
        thread = self._thread
        if thread is None or self._pid != os.getpid():
            self._pump.keep()
            return
        self._pump.once_more()
        self._until = time.monotonic() + deadline_s
        self._gate.set()
        thread.join(deadline_s)
        if thread.is_alive():
            self._abort()
            thread.join(GRACE_S)

    def forked(self) -> None:
        """Begin again in a child process: what is queued is the parent's, and will be sent by the parent."""
        for number in fields(self._stats):
            setattr(self._stats, number.name, 0)
        self._queue.forked()
        self._pump.forked()
        self._begin()

    def stats(self) -> Stats:
        """Give what became of the calls so far."""
        return replace(self._stats, queued=self._pump.waiting)

    @property
    def alive(self) -> bool:
        """Whether the thread is there."""
        return self._thread is not None and self._thread.is_alive()

    def _ensure(self) -> None:
        with self._start:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._main, name="switchboard-reports", daemon=True)
                self._thread.start()

    def _empty(self) -> None:
        """Do everything that can be done now, in the caller's thread: for tests."""
        while (pause := self._pump.step(hurry=True)) is not None and pause <= 0:
            pass

    def _main(self) -> None:
        while not self._over():
            pause = self._step()
            with self._moved:
                self._moved.notify_all()
            if pause is None or pause > 0:
                self._gate.wait(self._limited(pause))
                self._gate.clear()
        self._pump.keep()
        with self._moved:
            self._moved.notify_all()

    def _step(self) -> float | None:
        try:
            return self._pump.step(hurry=self._hurry > 0 or self._until is not None)
        except Exception as exc:  # noqa: BLE001  # the thread must outlive any fault of ours
            fault("sending reports", exc)
            return 1.0

    def _over(self) -> bool:
        if self._until is None:
            return False
        return self._pump.empty or self._pump.giving_up or time.monotonic() >= self._until

    def _limited(self, pause: float | None) -> float | None:
        if self._until is None:
            return pause
        left = max(0.0, self._until - time.monotonic())
        return left if pause is None else min(left, pause)
