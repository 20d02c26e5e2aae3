"""Celery inside the one process: the same tasks and schedule as at scale, as two threads.

The broker is `memory://`: what is queued is lost with the process. Nothing is lost by that, because every periodic
task is a sweep over rows and the next one finds what the last one did not do.
"""

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from celery import Celery  # slow to import: only the thread that needs it waits for it

READY_WITHIN_S = 5.0


class EmbeddedTasks:
    """A Celery worker and beat, each in a thread of this process.

    Two of its tasks may wait for other people's servers (posts of decisions, notices); the sweeps need not wait for them.
    """

    def __init__(self, app: "Callable[[], Celery]", *, concurrency: int = 4) -> None:
        self._load = app
        self._concurrency = concurrency
        self._worker: Any = None
        self._beat: Any = None
        self._ready = threading.Event()
        self._stopping, self._changing = False, threading.Lock()
        self._thread = threading.Thread(target=self._run, name="celery-worker", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether tasks are being taken and the schedule is being kept."""
        return self._ready.is_set() and self._thread.is_alive() and self._beat.is_alive()

    def start(self) -> None:
        """Start both; returns at once, the slow imports happen in the thread."""
        self._thread.start()

    def wait_until_ready(self, within_s: float) -> bool:
        """Wait until tasks are taken; False when the time is over."""
        return self._ready.wait(within_s)

    def stop(self, *, wait_s: float = 0.0) -> None:
        """Stop the schedule and finish the tasks at hand.

        What is left then is a consumer that sleeps in its poll and ends within two seconds; `wait_s` waits for it.
        """
        with self._changing:
            self._stopping = True
        if self._worker is not None and self._ready.wait(READY_WITHIN_S):
            self._beat.stop()
            self._worker.stop()
        self._thread.join(wait_s)

    def _run(self) -> None:
        from celery.beat import EmbeddedService  # noqa: PLC0415  # the same

        app = self._load()
        os.environ.setdefault("CELERY_SKIP_CHECKS", "true")  # Django's checks ran when the server started
        app.set_default()  # a thread of the pool looks a task up in the default app
        app.loader.import_default_modules()  # otherwise beat sends names that nobody knows
        worker = app.WorkController(
            pool="threads", concurrency=self._concurrency, quiet=True,
            without_heartbeat=True, without_mingle=True, without_gossip=True,
            ready_callback=self._on_ready,
        )  # fmt: skip
        beat: Any = EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")
        with self._changing:
            if self._stopping:
                return
            self._worker, self._beat = worker, beat
            beat.start()
        worker.start()

    def _on_ready(self, _consumer: object) -> None:
        self._ready.set()
