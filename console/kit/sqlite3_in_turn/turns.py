"""A lock that is handed to whoever has waited longest."""

import threading
from collections import deque


class Turns:
    """SQLite lets waiters sleep and look again, so that newcomers pass them for as long as there are any; this does not."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._taken = False

    def take(self, *, within_s: float) -> bool:
        """Wait for one's turn; False when it did not come within the time."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=within_s):
            return True
        with self._guard:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return False
        return True  # it was handed over at this very moment

    def give(self) -> None:
        """Hand over to the next, if anybody waits."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
