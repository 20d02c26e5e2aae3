"""Attempts, waits and answers drawn to scale on one axis: plain geometry, in percent of the width.

A wait for a person may be a thousand times longer than everything else; it breaks the axis and says how long it was.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BREAK_SHARE = 0.06  # what a broken stretch keeps of the width
LEAST = 0.45  # percent: the thinnest bar an eye still finds
RIGHT = 97.0  # percent: the last label needs room
ENDS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1_800, 3_600)
SIZES = (1, 60, 3_600)
Units = tuple[str, str, str]  # the words for seconds, minutes, hours
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time, in seconds from the axis' start. `look` names its fill, `kind` its shape."""

    start: float
    end: float
    look: str = "ink3"
    kind: str = "bar"  # bar | wait | person | unknown


@dataclass(frozen=True, slots=True)
class Drawn:
    """A span in percent, ready for an SVG."""

    x: str
    x2: str
    width: str
    look: str
    kind: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis and its text."""

    x: str
    label: str
    anchor: str


class Scale:
    """Seconds to percent, with long stretches taken out."""

    def __init__(self, length: float, breaks: Iterable[tuple[float, float]] = ()) -> None:
        """Take the whole length in seconds and the stretches to break, which must not overlap."""
        self.breaks = sorted(breaks)
        self.length = max(length, 0.001)
        drawn = self.length - sum(end - start for start, end in self.breaks)
        self.whole = max(drawn, 0.001) / max(0.2, 1 - BREAK_SHARE * len(self.breaks))

    def at(self, second: float) -> float:
        """Give the place of a moment, in percent."""
        place = min(max(second, 0.0), self.length)
        cut = 0.0
        for start, end in self.breaks:
            if place <= start:
                break
            inside = (min(place, end) - start) / (end - start)
            cut += min(place, end) - start - inside * BREAK_SHARE * self.whole
        return (place - cut) / self.whole * RIGHT

    @classmethod
    def rounded(cls, length: float) -> "Scale":
        """Make an axis that ends at a round number: one quick bar then looks as quick as it was."""
        return cls(next((step for step in ENDS if step >= length), length))

    def draw(self, spans: Iterable[Span]) -> tuple[Drawn, ...]:
        """Place spans; the shortest stays visible."""
        return tuple(self._drawn(span) for span in spans)

    def ticks(self, units: Units, most: int = 5) -> tuple[Tick, ...]:
        """Give few marks with round labels, in the unit that suits the length; none where the axis is broken."""
        if self.breaks:
            return ()
        size, unit = next(
            ((size, units[n]) for n, size in enumerate(SIZES) if self.length < 2 * size * 60),
            (SIZES[-1], units[-1]),
        )
        step = next((step for step in STEPS if self.length / step <= most), self.length / most)
        times = [step * n for n in range(int(self.length / step + 1e-9) + 1)]
        return tuple(self._tick(second, size, unit, last=second == times[-1]) for second in times)

    def _tick(self, second: float, size: float, unit: str, *, last: bool) -> Tick:
        label = f"{second / size:.3g}" + (f"\u202f{unit}" if last or second == 0 else "")
        return Tick(f"{self.at(second):.2f}%", label, "start" if second == 0 else "middle")

    def _drawn(self, span: Span) -> Drawn:
        start, end = self.at(span.start), self.at(span.end)
        width = max(end - start, LEAST if span.kind != "wait" else 0.0)
        return Drawn(f"{start:.2f}%", f"{start + width:.2f}%", f"{width:.2f}%", span.look, span.kind)


def long_waits(spans: Sequence[Span], *, factor: float = 3.0) -> tuple[tuple[float, float], ...]:
    """Find the waits for people that would squeeze all else to nothing."""
    rest = sum(span.end - span.start for span in spans if span.kind != "person")
    people = [(span.start, span.end) for span in spans if span.kind == "person"]
    return tuple((start, end) for start, end in people if end - start > factor * max(rest, 0.001))
