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

    def add(self, at: float, *, failed: bool, slow: bool) -> None:
        """Count one call."""
        self.forget(at)
        last = self.slices[-1] if self.slices else None
        if last is None or at - last.start >= self.size_s / _SLICES:
            last = Slice(at)
            self.slices.append(last)
        last.calls += 1
        last.failed += failed
        last.slow += slow
        self.calls += 1
        self.failed += failed
        self.slow += slow

    def forget(self, at: float) -> None:
        """Drop the slices that have left the window."""
        while self.slices and at - self.slices[0].start >= self.size_s:
            gone = self.slices.popleft()
            self.calls -= gone.calls
            self.failed -= gone.failed
            self.slow -= gone.slow

    def clear(self) -> None:
        """Begin again."""
        self.slices.clear()
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
