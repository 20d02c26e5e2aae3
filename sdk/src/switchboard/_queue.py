"""Reported calls on their way to the sender: bounded in number and in size, the oldest goes first."""

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from switchboard._quiet import log, once

MOST_CALLS = 10_000
MOST_CHARS = 32 * 1024 * 1024


@dataclass(slots=True)
class Stats:
    """What became of the calls this client was given. `queued` is how many wait now, on disk or in memory."""

    queued: int = 0
    stored: int = 0
    duplicate: int = 0
    corrected: int = 0
    rejected: int = 0
    dropped: int = 0
    spooled: int = 0


class Queue:
    """A call put here costs a lock and an append; what does not fit pushes the oldest out, counted."""

    def __init__(self, stats: Stats, *, most: int = MOST_CALLS, most_chars: int = MOST_CHARS) -> None:
        self._stats = stats
        self._most = most
        self._most_chars = most_chars
        self._lock = threading.Lock()
        self._waiting: deque[tuple[dict[str, Any], int]] = deque()
        self._chars = 0
        self.oldest_at = 0.0

    def put(self, record: dict[str, Any], size: int) -> int:
        """Take a record of about `size` characters and give how many now wait."""
        with self._lock:
            if not self._waiting:
                self.oldest_at = time.monotonic()
            self._waiting.append((record, size))
            self._chars += size
            while len(self._waiting) > self._most or self._chars > self._most_chars:
                self._drop()
            return len(self._waiting)

    def pop(self) -> dict[str, Any] | None:
        """Give the oldest record, None when there is none."""
        with self._lock:
            if not self._waiting:
                return None
            record, size = self._waiting.popleft()
            self._chars -= size
            return record

    def clear(self) -> None:
        """Forget everything."""
        self._waiting.clear()
        self._chars = 0

    def forked(self) -> None:
        """Begin empty in a child process, with a lock that nobody holds."""
        self._lock = threading.Lock()
        self.clear()

    def __len__(self) -> int:
        return len(self._waiting)

    def _drop(self) -> None:
        _, size = self._waiting.popleft()
        self._chars -= size
        self._stats.dropped += 1
        if once("queue full"):
            log.warning(
                "Calls are reported faster than they can be sent: the oldest are dropped and counted in stats.dropped."
            )
