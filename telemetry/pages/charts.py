"""Charts as pages draw them: in the person's zone, with what stood beside the numbers and the way to the calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from telemetry import figures
from telemetry.queries import FailureSeries, Mark, Span, SpikePage, Timeline

CLASS_COLOURS = {str(name): colour for name, colour in figures.STACK.items()}
T = TypeVar("T")
MOST_SAID = 80
LEAST = 0.3  # percent: the thinnest stretch an eye still finds
LABEL_NEEDS = 14.0  # percent of the width that a label beside a hairline takes


@dataclass(frozen=True, slots=True)
class Stretch:
    """Something of the timeline in percent of its width; `label` is left out where another one stands."""

    x: str
    width: str
    look: str
    label: str = ""
    said: str = ""  # in full, for whoever points at it


@dataclass(frozen=True, slots=True)
class Drawn:
    """A timeline as SVG lanes draw it, on the axis of the chart above them."""

    bands: tuple[Stretch, ...]
    caps: tuple[Stretch, ...]
    deploys: tuple[Stretch, ...]


def failures_chart(
    span: Span, failures: FailureSeries, *, tool: str = "", beside: Timeline | None = None
) -> dict[str, Any]:
    """Give the figure of a span's failures, of all tools or one."""
    query = {"window": span.window, **({"tool": tool} if tool else {})}
    return figures.failures_by_class(
        buckets=[localtime(at) for at in span.buckets],
        step_s=span.step_s,
        by_class=failures.by_class,
        href=f"{reverse('calls')}?{urlencode(query)}",
        beside=_beside(beside, span.end) if beside else None,
    )


def spike_chart(page: SpikePage, at: datetime) -> dict[str, Any]:
    """Give the figure of a spike: the share that failed, what was usual, and what stood beside it."""
    row, series = page.row, page.series
    words = {"tool": row.tool, "class": row.failure_class or ""}
    query = {word: value for word, value in words.items() if value} or {"outcome": "escalated"}
    return figures.failed_share(
        buckets=[localtime(start) for start in series.starts],
        step_s=series.step_s,
        rates=[rate.value for rate in series.rates],
        usual=row.usual or 0.0,
        colour=CLASS_COLOURS.get(row.subject, "--lamp"),
        href=f"{reverse('calls')}?{urlencode(query)}",
        beside=_beside(page.beside, at),
    )


def steps(starts: Sequence[datetime], values: Sequence[T]) -> list[tuple[datetime, datetime, T]]:
    """Give what a chart draws as rows of a table: from when, to when, how much."""
    length = starts[1] - starts[0] if len(starts) > 1 else timedelta(minutes=1)
    return [(start, start + length, value) for start, value in zip(starts, values, strict=True)]


def _beside(timeline: Timeline, end: datetime) -> figures.Beside:
    bands = [
        figures.Band(localtime(band.start), localtime(band.end or end), CLASS_COLOURS.get(band.of, "--lamp"))
        for band in timeline.bands
    ]
    bands += [
        figures.Band(localtime(cap.start), localtime(cap.end or end), "--bad", cap=True)
        for cap in timeline.caps
    ]
    lines = [figures.Moment(localtime(mark.at), _said(mark)) for mark in timeline.marks if _is_line(mark)]
    return figures.Beside(bands, lines)


def _said(mark: Mark) -> str:
    """Say what one moment was, for whoever points at its line."""
    if mark.kind == "deploy":
        said = _("deploy %(name)s %(version)s") % {"name": mark.name, "version": mark.word}
    else:
        said = _("command to %(name)s: %(verb)s") % {"name": mark.name, "verb": mark.word}
    return f"{said[:MOST_SAID]}, {localtime(mark.at):%H:%M}"


def lanes(timeline: Timeline, start: datetime, end: datetime) -> Drawn:
    """Place a timeline on an axis from start to end."""
    deploys = sorted((mark for mark in timeline.marks if mark.kind == "deploy"), key=lambda mark: mark.at)
    places = [_percent(mark.at, start, end) for mark in deploys]
    return Drawn(
        bands=tuple(stretch(band.start, band.end, start, end, band.of) for band in timeline.bands),
        caps=tuple(stretch(cap.start, cap.end, start, end) for cap in timeline.caps),
        deploys=tuple(_labelled(deploys, places)),
    )


def stretch(
    since: datetime, until: datetime | None, start: datetime, end: datetime, look: str = "bad"
) -> Stretch:
    """Place a stretch of time on an axis; without an end it reaches to that of the axis."""
    x = _percent(since, start, end)
    return Stretch(f"{x:.2f}%", f"{max(_percent(until or end, start, end) - x, LEAST):.2f}%", look)


def _percent(moment: datetime, start: datetime, end: datetime) -> float:
    whole = max((end - start).total_seconds(), 1.0)
    return min(max((moment - start).total_seconds() / whole, 0.0), 1.0) * 100


def _labelled(marks: Sequence[Mark], places: Sequence[float]) -> list[Stretch]:
    """Put the version beside a deploy's hairline where there is room for it."""
    drawn, free = [], 0.0
    for mark, x in zip(marks, places, strict=True):
        fits = x >= free and x <= 100 - LABEL_NEEDS
        drawn.append(
            Stretch(f"{x:.2f}%", "", "ink", f"{mark.name} {mark.word}"[:24] if fits else "", _said(mark))
        )
        free = x + LABEL_NEEDS if fits else free
    return drawn


def _is_line(mark: Mark) -> bool:
    """Say whether a moment is drawn as a hairline: what people did; breakers have their caps."""
    return mark.kind != "breaker"
