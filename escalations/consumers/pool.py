"""Threads with a database connection of their own, for code that lives on the event loop.

Reading what was decided must not queue behind writes, and neither may hold one of the threads that serve pages.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import close_old_connections, connections

T = TypeVar("T")
GOODBYE_WITHIN_S = 10


class Pool:
    """A few threads; `run` is awaited on any loop."""

    def __init__(self, name: str, size: int) -> None:
        self._name, self._size = name, size
        self._threads: ThreadPoolExecutor | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Do work that talks to the database, in a thread."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._size, self._name)
        return await asyncio.get_running_loop().run_in_executor(self._threads, _fresh, work)

    async def close(self) -> None:
        """Finish what is at hand and close the threads' connections."""
        threads, self._threads = self._threads, None
        if threads is None:
            return
        loop = asyncio.get_running_loop()
        all_there = threading.Barrier(self._size)  # one goodbye for each thread, none of them twice
        goodbyes = (loop.run_in_executor(threads, _goodbye, all_there) for _ in range(self._size))
        await asyncio.gather(*goodbyes)
        threads.shutdown(wait=False)


def _goodbye(all_there: threading.Barrier) -> None:
    connections.close_all()
    all_there.wait(GOODBYE_WITHIN_S)


def _fresh(work: Callable[[], T]) -> T:
    close_old_connections()
    return work()


reads = Pool("decisions-read", 2)
writes = Pool("decisions-write", 1)
