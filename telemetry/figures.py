"""Plotly figures as plain dicts, from numbers. Colours are names of the style sheet, so that the page's theme decides.

The scripts of the page (static/lib/figure.js) put in the colours and draw; they add nothing to the data. Every figure
made here is checked against plotly's own definitions in the tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from typing import Any

from telemetry.vocabulary import FailureClass

# Drawn from the axis upwards: what recovers by itself first, what needs people on top.
STACK = {
    FailureClass.TRANSIENT: "--c-transient",
    FailureClass.INVALID_ARGS: "--c-args",
    FailureClass.EMPTY: "--c-empty",
    FailureClass.PARTIAL: "--c-partial",
    FailureClass.HARD: "--c-hard",
    FailureClass.UNKNOWN_OUTCOME: "--c-unknown",
    FailureClass.INTERNAL: "--c-internal",
}
AXIS_FONT = {"size": 11, "color": "--ink-3"}

X_AXIS = {
    "type": "date",
    "showgrid": False,
    "zeroline": False,
    "fixedrange": True,
    "linecolor": "--line-2",
    "linewidth": 1,
    "ticks": "outside",
    "ticklen": 4,
    "tickcolor": "--line-2",
    "tickfont": AXIS_FONT,
    "nticks": 8,
    "hoverformat": "%d %b %H:%M",
}
Y_AXIS = {
    "gridcolor": "--line",
    "zeroline": False,
    "showline": False,
    "rangemode": "tozero",
    "minallowed": 0,
    "fixedrange": True,
    "nticks": 3,
    "ticklabelposition": "inside top",
    "tickformat": ",d",
    "tickfont": AXIS_FONT,
    "automargin": False,
}
LAYOUT = {
    "barmode": "stack",
    "bargap": 0,
    "showlegend": False,
    "hovermode": "x unified",
    "dragmode": False,
    "margin": {"l": 0, "r": 0, "t": 8, "b": 22, "pad": 0},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "font": {"size": 11, "color": "--ink-2"},
    "hoverlabel": {
        "bgcolor": "--panel",
        "bordercolor": "--line-2",
        "align": "left",
        "font": {"size": 12, "color": "--ink"},
    },
    "transition": {"duration": 0},
}


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch that is shaded, in the colour of what it is about; `cap` draws it as a bar at the top edge."""

    start: datetime
    end: datetime
    colour: str
    cap: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened at one moment, and what whoever points at it is told."""

    at: datetime
    said: str


@dataclass(frozen=True, slots=True)
class Beside:
    """What stood beside the numbers, in the person's zone: shaded stretches, and moments as hairlines."""

    bands: Sequence[Band] = ()
    moments: Sequence[Moment] = ()


def failures_by_class(
    *,
    buckets: Sequence[datetime],
    step_s: int,
    by_class: dict[FailureClass, tuple[int, ...]],
    href: str,
    beside: Beside | None = None,
) -> dict[str, Any]:
    """Stack the failed operations of each class per bucket.

    `buckets` are the starts of the buckets in the person's zone, `step_s` their length in seconds. A bar carries the
    address of its calls: `href` with the class, and from when to when.
    """
    middles, edges = _places(buckets, step_s)
    nothing = (0,) * len(middles)
    bars = [
        _bar(name, by_class.get(name, nothing), x=middles, edges=edges, step_s=step_s, href=href)
        for name in STACK
    ]
    return {"data": [*bars, *_pointers(beside)], "layout": _layout(middles, step_s, beside)}


def failed_share(
    *,
    buckets: Sequence[datetime],
    step_s: int,
    rates: Sequence[float | None],
    usual: float,
    colour: str,
    href: str,
    beside: Beside | None = None,
) -> dict[str, Any]:
    """Draw the share of calls that failed in each bucket, and dotted what was usual; no calls are a gap."""
    middles, edges = _places(buckets, step_s)
    seen = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": middles,
        "y": list(rates),
        "connectgaps": False,
        "line": {"color": colour, "width": 1.5},
        "marker": {"color": colour, "size": 4},
        "customdata": edges,
        "hovertemplate": "%{y:.1%}<extra></extra>",
        "meta": {"href": href},
    }
    expected = {
        "type": "scatter",
        "mode": "lines",
        "x": [middles[0], middles[-1]] if middles else [],
        "y": [usual, usual] if middles else [],
        "line": {"color": "--ink-3", "width": 1.5, "dash": "dot"},
        "hoverinfo": "skip",
    }
    layout = _layout(middles, step_s, beside)
    return {
        "data": [seen, expected, *_pointers(beside)],
        "layout": {**layout, "yaxis": {**Y_AXIS, "tickformat": ",.0%"}},
    }


def _places(buckets: Sequence[datetime], step_s: int) -> tuple[list[str], list[list[str]]]:
    """Give where each bucket is drawn, and from when to when it goes."""
    # Plotly puts a bar's middle at x and shows local clock times as given: no offset, or it would shift them to UTC.
    middles = [_clock(at + timedelta(seconds=step_s / 2)) for at in buckets]
    edges = [[at.isoformat(), (at + timedelta(seconds=step_s)).isoformat()] for at in buckets]
    return middles, edges


def _clock(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat()


def _bar(
    name: FailureClass, y: tuple[int, ...], *, x: list[str], edges: list[list[str]], step_s: int, href: str
) -> dict[str, Any]:
    marker: dict[str, Any] = {"color": STACK[name], "line": {"width": 0}}
    if name is FailureClass.UNKNOWN_OUTCOME:  # hatched across: nobody knows
        marker["pattern"] = {
            "shape": "/",
            "size": 5,
            "solidity": 0.35,
            "fgcolor": "--paper",
            "fillmode": "overlay",
        }
    return {
        "type": "bar",
        "name": name.value,
        "x": x,
        "y": list(y),
        "width": step_s * 1000 * 0.82,
        "marker": marker,
        "customdata": edges,
        "hovertemplate": "%{y:,} " + name.value + "<extra></extra>",
        "meta": {"href": f"{href}&class={name.value}"},
    }


def _layout(x: list[str], step_s: int, beside: Beside | None) -> dict[str, Any]:
    half = timedelta(seconds=step_s / 2)
    ends = [(datetime.fromisoformat(x[0]) - half), (datetime.fromisoformat(x[-1]) + half)] if x else None
    xaxis = {**X_AXIS, "range": [end.isoformat() for end in ends] if ends else None}
    return {**LAYOUT, "xaxis": xaxis, "yaxis": Y_AXIS, "shapes": _shapes(beside or Beside())}


def _pointers(beside: Beside | None) -> list[dict[str, Any]]:
    """Put a small triangle at the foot of each hairline: who points at it reads what it was."""
    if beside is None or not beside.moments:
        return []
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [_clock(moment.at) for moment in beside.moments],
            "y": [0] * len(beside.moments),
            "text": [escape(moment.said) for moment in beside.moments],  # Plotly reads some markup in texts
            "marker": {"symbol": "triangle-up", "size": 9, "color": "--ink"},
            "cliponaxis": False,
            "hovertemplate": "%{text}<extra></extra>",
        }
    ]


def _shapes(beside: Beside) -> list[dict[str, Any]]:
    """Draw what stood beside: shades behind the numbers, hairlines and caps before them."""
    drawn: list[dict[str, Any]] = []
    for band in beside.bands:
        place = {"x0": _clock(band.start), "x1": _clock(band.end), "y0": 0.96 if band.cap else 0, "y1": 1}
        look = {"fillcolor": band.colour, "opacity": 1 if band.cap else 0.12, "line": {"width": 0}}
        layer = "above" if band.cap else "below"
        drawn.append({"type": "rect", "yref": "paper", **place, **look, "layer": layer})
    for moment in beside.moments:
        line, at = {"color": "--ink", "width": 1}, _clock(moment.at)
        place = {"x0": at, "x1": at, "y0": 0, "y1": 1}
        drawn.append({"type": "line", "yref": "paper", **place, "line": line, "layer": "above"})
    return drawn
