"""What a breaker remembers: the calls of the last seconds, counted per slice of time."""

from collections import Counter, deque
from dataclasses import dataclass, field

_SLICES = 20


@dataclass(slots=True)
class Slice:
    """The calls of one slice of time."""

    start: float
    calls: int = 0
    failed: int = 0
    slow: int = 0


@dataclass(slots=True)
class SlidingWindow:
    """Counts over the last `size_s` seconds in twenty slices: constant memory, whatever the traffic."""

    size_s: float
    slices: deque[Slice] = field(default_factory=deque)
    calls: int = 0
    failed: int = 0
    slow: int = 0
    not_permitted: int = 0
    ignored: int = 0
    classes: Counter[str] = field(default_factory=Counter)
    _last: Slice = field(default_factory=lambda: Slice(0.0))
    _turns_at: float = float("-inf")

    def add(self, at: float, *, failed: bool, slow: bool) -> None:
        """Count one call."""
        if at >= self._turns_at:
            self._turn(at)
        last = self._last
        last.calls += 1
        last.failed += failed
        last.slow += slow
        self.calls += 1
        self.failed += failed
        self.slow += slow

    def _turn(self, at: float) -> None:
        """Begin a slice where the last one is full. Until the next turn nothing has to be looked at."""
        self.forget(at)
        wide = self.size_s / _SLICES
        if not self.slices or at - self.slices[-1].start >= wide:
            self.slices.append(Slice(at))
        self._last = self.slices[-1]
        self._turns_at = min(self._last.start + wide, self.slices[0].start + self.size_s)

    def forget(self, at: float) -> None:
        """Drop the slices that have left the window."""
        while self.slices and at - self.slices[0].start >= self.size_s:
            self._turns_at = at
            gone = self.slices.popleft()
            self.calls -= gone.calls
            self.failed -= gone.failed
            self.slow -= gone.slow

    def clear(self) -> None:
        """Begin again."""
        self.slices.clear()
        self._turns_at = float("-inf")
        self.calls = self.failed = self.slow = self.not_permitted = self.ignored = 0
        self.classes.clear()

    @property
    def failure_rate(self) -> float:
        """The share of failed calls; 0 without any."""
        return self.failed / self.calls if self.calls else 0.0

    @property
    def slow_rate(self) -> float:
        """The share of slow calls; 0 without any."""
        return self.slow / self.calls if self.calls else 0.0
