"""Ids that carry the moment of arrival, and ids that follow from a name.

A call's id is the microsecond it came in and twelve bits of the process that took it: sorting by id is sorting by
arrival, a range of ids is a stretch of time, and several processes make ids without asking each other.
"""

import hashlib
import secrets
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
NODE_BITS = 12
STEP = 1 << NODE_BITS
MICROSECOND = timedelta(microseconds=1)


def first_id(at: datetime) -> int:
    """Give the lowest id that a call arriving at this moment can have."""
    return ((at - EPOCH) // MICROSECOND) << NODE_BITS


def received_at(call: int) -> datetime:
    """Give the moment that an id carries."""
    return EPOCH + timedelta(microseconds=call >> NODE_BITS)


class Ids:
    """Makes ids in one process: always growing, even when the clock is set back."""

    def __init__(self, node: int | None = None) -> None:
        self._node = secrets.randbelow(STEP) if node is None else node
        self._last = 0
        self._lock = threading.Lock()

    def next_at(self, at: datetime) -> datetime:
        """Give the moment that the next id will carry: this one, or a later one after the clock was set back."""
        return max(at, received_at(self._last << NODE_BITS) + MICROSECOND) if self._last else at

    def take(self, count: int, *, at: datetime) -> Sequence[int]:
        """Give `count` fresh ids, in order, not earlier than `at`."""
        with self._lock:
            tick = max(first_id(at) >> NODE_BITS, self._last + 1)
            self._last = tick + count - 1
        start = (tick << NODE_BITS) | self._node
        return range(start, start + count * STEP, STEP)


@lru_cache(maxsize=16_384)
def id_of_words(*words: str | int) -> int:
    """Give the id that stands for these words: 63 bits of a digest, the same in every process and database."""
    told = "\x1f".join(map(str, words)).encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "big") >> 1
