"""The last good answers of a toolbox, for when a service does not give one."""

import threading
from collections import OrderedDict
from typing import Any

from switchboard.clock import Clock

_KEPT = 1000


class Kept:
    """The last good answers, by what was asked; the longest unused go first."""

    def __init__(self, clock: Clock, size: int = _KEPT) -> None:
        self._clock = clock
        self._size = size
        self._answers: OrderedDict[str, tuple[float, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, fingerprint: str, data: Any) -> None:
        """Remember an answer."""
        with self._lock:
            self._answers[fingerprint] = (self._clock.monotonic(), data)
            self._answers.move_to_end(fingerprint)
            if len(self._answers) > self._size:
                self._answers.popitem(last=False)

    def get(self, fingerprint: str, max_age_s: float) -> tuple[float, Any] | None:
        """The age in seconds and the answer."""
        with self._lock:
            kept = self._answers.get(fingerprint)
            if kept is None:
                return None
            age_s = self._clock.monotonic() - kept[0]
            if age_s > max_age_s:
                return None
            self._answers.move_to_end(fingerprint)
            return age_s, kept[1]
