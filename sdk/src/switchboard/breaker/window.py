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
    failed: int = 0
    slow: int = 0
    not_permitted: int = 0
    ignored: int = 0
    classes: Counter[str] = field(default_factory=Counter)
    _before: int = 0  # calls of the slices before the last: a good call then moves one number only
    _last: Slice = field(default_factory=lambda: Slice(0.0))
    _turns_at: float = float("-inf")

    def add(self, at: float, *, failed: bool, slow: bool) -> None:
        """Count one call."""
        self.add_good(at)
        self._last.failed += failed
        self._last.slow += slow
        self.failed += failed
        self.slow += slow

    def add_good(self, at: float) -> None:
        """Count one call that neither failed nor was slow."""
        if at >= self._turns_at:
            self._turn(at)
        self._last.calls += 1

    @property
    def calls(self) -> int:
        """The calls of the whole window."""
        return self._before + self._last.calls

    def _turn(self, at: float) -> None:
        """Begin a slice where the last one is full. Until the next turn nothing has to be looked at."""
        self.forget(at)
        wide = self.size_s / _SLICES
        if not self.slices or at - self.slices[-1].start >= wide:
            self._before += self._last.calls
            self.slices.append(Slice(at))
        self._last = self.slices[-1]
        self._turns_at = min(self._last.start + wide, self.slices[0].start + self.size_s)

    def forget(self, at: float) -> None:
        """Drop the slices that have left the window."""
        while self.slices and at - self.slices[0].start >= self.size_s:
            gone = self.slices.popleft()
            self._turns_at = float("-inf")
            if gone is self._last:
                self._last = Slice(at)
            else:
                self._before -= gone.calls
            self.failed -= gone.failed
            self.slow -= gone.slow

    def clear(self) -> None:
        """Begin again."""
        self.slices.clear()
        self._last, self._turns_at = Slice(0.0), float("-inf")
        self._before = self.failed = self.slow = self.not_permitted = self.ignored = 0
        self.classes.clear()

    @property
    def failure_rate(self) -> float:
        """The share of failed calls; 0 without any."""
        return self.failed / self.calls if self.calls else 0.0

    @property
    def slow_rate(self) -> float:
        """The share of slow calls; 0 without any."""
        return self.slow / self.calls if self.calls else 0.0
