"""Reported calls on their way to the sender: bounded in number and in size, the oldest goes first."""

import threading
from collections import deque
from dataclasses import dataclass

from switchboard._quiet import log, once
from switchboard.clock import Clock

MOST_CALLS = 10_000
MOST_BYTES = 32 * 1024 * 1024


@dataclass(slots=True)
class Stats:
    """What became of the calls this client was given. `queued` is how many wait in memory now."""

    queued: int = 0
    stored: int = 0
    duplicate: int = 0
    corrected: int = 0
    rejected: int = 0
    dropped: int = 0
    spooled: int = 0


class Queue:
    """A call put here costs a lock and an append; what does not fit pushes the oldest out, counted."""

    def __init__(
        self, stats: Stats, clock: Clock, *, most: int = MOST_CALLS, most_bytes: int = MOST_BYTES
    ) -> None:
        self._stats = stats
        self._clock = clock
        self._most = most
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._bytes = 0
        self.oldest_at: float = 0.0

    def put(self, call_id: str, item: bytes) -> int:
        """Take one call, already as JSON, and give how many now wait."""
        with self._lock:
            if not self._waiting:
                self.oldest_at = self._clock.monotonic()
            self._waiting.append((call_id, item))
            self._bytes += len(item)
            while len(self._waiting) > self._most or self._bytes > self._most_bytes:
                self._drop()
            return len(self._waiting)

    def pop(self) -> tuple[str, bytes] | None:
        """Give the oldest call, None when there is none."""
        with self._lock:
            if not self._waiting:
                return None
            call_id, item = self._waiting.popleft()
            self._bytes -= len(item)
            return call_id, item

    def clear(self) -> None:
        """Forget everything."""
        self._waiting.clear()
        self._bytes = 0

    def forked(self) -> None:
        """Begin empty in a child process, with a lock that nobody holds."""
        self._lock = threading.Lock()
        self.clear()

    def __len__(self) -> int:
        return len(self._waiting)

    def _drop(self) -> None:
        _, item = self._waiting.popleft()
        self._bytes -= len(item)
        self._stats.dropped += 1
        if once("queue full"):
            log.warning(
                "Calls are reported faster than they can be sent: the oldest are dropped and counted in stats.dropped."
            )
