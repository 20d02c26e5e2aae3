"""Many messages under way at once, each in a thread of its own, so that a receiver that does not answer holds up nobody.

A receiver that answers drop by drop is left alone after a while: its thread ends when the receiver does, and holds
nothing that anybody waits for.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")
AT_ONCE = 16
LOOK_S = 0.25
PATIENCE_S = 30.0  # shorter than the lease of any row


class UnderWay(Generic[T]):
    """What is being sent, each under a key of its own, since when, and the answers as they come."""

    def __init__(self, send: Callable[[T], str]) -> None:
        """Take what sends one message and gives what went wrong, blank when nothing did."""
        self._send = send
        self._answers: SimpleQueue[tuple[Hashable, str]] = SimpleQueue()
        self._since: dict[Hashable, tuple[T, float]] = {}

    def __len__(self) -> int:
        """Give how many have not ended."""
        return len(self._since)

    def full(self) -> bool:
        """Say whether another one has to wait."""
        return len(self._since) >= AT_ONCE

    def messages(self) -> list[T]:
        """Give what has not ended."""
        return [message for message, _since in self._since.values()]

    def begin(self, key: Hashable, message: T, *, name: str) -> None:
        """Send a message in a thread of its own."""
        self._since[key] = (message, time.monotonic())
        threading.Thread(target=self._run, args=(key, message), name=name, daemon=True).start()

    def ended(self, within_s: float = LOOK_S) -> list[tuple[T, str]]:
        """Give what has ended, waiting for the first a little; what takes too long has ended badly."""
        told: dict[Hashable, str] = {}
        try:
            told.update([self._answers.get(timeout=within_s)])
            while True:
                told.update([self._answers.get_nowait()])
        except Empty:
            late = time.monotonic() - PATIENCE_S
            for key, (_message, began) in self._since.items():
                if began < late:
                    told.setdefault(key, f"No answer within {PATIENCE_S:.0f} s.")
        known = [key for key in told if key in self._since]
        return [(self._since.pop(key)[0], told[key]) for key in known]

    def _run(self, key: Hashable, message: T) -> None:
        try:
            fault = self._send(message)
        except Exception as exc:  # a fault of ours in one message: kept with its row, and retried
            log.exception("a message could not be sent")
            fault = f"{type(exc).__name__}: {exc}"
        self._answers.put((key, fault))
