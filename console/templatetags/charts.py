"""Small charts drawn on the server: plain SVG whose text is never scaled, with numbers from Python only."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
SPARK_WIDTH, SPARK_HEIGHT = 84, 18


@register.simple_tag
def spark(points: Sequence[float | None]) -> SafeString:
    """Draw a line without axes; a gap where there is no number."""
    highest = max((point for point in points if point is not None), default=0) or 1
    step = SPARK_WIDTH / max(1, len(points) - 1)
    placed = [
        None
        if point is None
        else f"{n * step:.1f},{SPARK_HEIGHT - 2 - point / highest * (SPARK_HEIGHT - 4):.1f}"
        for n, point in enumerate(points)
    ]
    return format_html(
        '<svg class="spark chart" viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">{}</svg>',
        SPARK_WIDTH,
        SPARK_HEIGHT,
        _lines(placed),
    )


@register.simple_tag
def share_bar(share: float | None, look: str = "ink3") -> SafeString:
    """Draw a share of one as a bar in its track."""
    return format_html(
        '<svg class="chart" height="8" aria-hidden="true"><rect width="100%" height="8" class="f-well"/>'
        '<rect width="{}%" height="8" class="f-{}"/></svg>',
        f"{max(0.0, min(1.0, share or 0.0)) * 100:.1f}",
        look,
    )


@register.simple_tag
def line_chart(
    points: Sequence[float | None],
    before: Sequence[float | None] = (),
    height: int = 60,
    *,
    inside: bool = False,
) -> SafeString:
    """Draw a line over its width, dotted for the period before; both on one scale from nought.

    With `inside` a point stands in the middle of its step, as bars do, so that both share an axis.
    """
    highest = max((point for point in (*points, *before) if point is not None), default=0) or 1
    return format_html(
        '<svg y="2" width="100%" height="{}" viewBox="0 0 1000 {}" preserveAspectRatio="none">{}{}</svg>',
        height,
        height,
        _lines(_placed(before, highest, height, inside=inside), "ln soft"),
        _lines(_placed(points, highest, height, inside=inside)),
    )


@register.simple_tag
def column_chart(columns: Sequence[tuple[int, int]], height: int = 72) -> SafeString:
    """Draw columns with a bad part on top, such as received and rejected per minute."""
    highest = max((whole for whole, _ in columns), default=0) or 1
    step = 100 / max(1, len(columns))
    return format_html_join(
        "",
        '<rect x="{}%" y="{}" width="{}%" height="{}" class="f-{}"/>',
        (
            (f"{n * step:.2f}", f"{height - top:.1f}", f"{step * 0.75:.2f}", f"{top - foot:.1f}", look)
            for n, (whole, bad) in enumerate(columns)
            for top, foot, look in _stacked(whole / highest * (height - 4), bad / highest * (height - 4))
        ),
    )


@register.simple_tag
def bars(points: Sequence[int], look: str = "ink3", height: int = 60) -> SafeString:
    """Draw one bar for each number, from nought."""
    highest = max(points, default=0) or 1
    step = 100 / max(1, len(points))
    drawn = ((n * step, point / highest * (height - 4)) for n, point in enumerate(points) if point)
    return format_html_join(
        "",
        '<rect x="{}%" y="{}" width="{}%" height="{}" class="f-{}"/>',
        (
            (f"{x:.2f}", f"{height - tall:.1f}", f"{step * 0.82:.2f}", f"{tall:.1f}", look)
            for x, tall in drawn
        ),
    )


def _stacked(whole: float, bad: float) -> tuple[tuple[float, float, str], ...]:
    parts = ((whole - bad, 0.0, "line2"), (whole, whole - bad, "bad"))
    return tuple(part for part in parts if part[0] > part[1])


def _placed(points: Sequence[float | None], highest: float, height: int, *, inside: bool) -> list[str | None]:
    step = 1000 / max(1, len(points) - (0 if inside else 1))
    first = step / 2 if inside else 0
    return [
        None if point is None else f"{first + n * step:.0f},{height - 2 - point / highest * (height - 6):.1f}"
        for n, point in enumerate(points)
    ]


def _lines(placed: Sequence[str | None], look: str = "ln") -> SafeString:
    """Join neighbours into polylines; what stands alone becomes a short stroke, so that it is seen."""
    runs: list[list[str]] = [[]]
    for place in placed:
        if place is None:
            runs.append([])
        else:
            runs[-1].append(place)
    drawn = ((look, " ".join(run if len(run) > 1 else _dot(run[0]))) for run in runs if run)
    return format_html_join("", '<polyline class="{}" points="{}"/>', drawn)


def _dot(place: str) -> list[str]:
    x, y = place.split(",")
    return [place, f"{float(x) + 1:.1f},{y}"]
