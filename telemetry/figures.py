"""Plotly figures as plain dicts, from numbers. Colours are names of the style sheet, so that the page's theme decides.

The scripts of the page (static/lib/figure.js) put in the colours and draw; they add nothing to the data. Every figure
made here is checked against plotly's own definitions in the tests.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
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


def failures_by_class(
    *,
    buckets: Sequence[datetime],
    step_s: int,
    by_class: dict[FailureClass, tuple[int, ...]],
    href: str,
) -> dict[str, Any]:
    """Stack the failed operations of each class per bucket.

    `buckets` are the starts of the buckets in the person's zone, `step_s` their length in seconds. A bar carries the
    address of its calls: `href` with the class, and from when to when.
    """
    starts = [at.isoformat() for at in buckets]
    # Plotly puts a bar's middle at x and shows local clock times as given: no offset, or it would shift them to UTC.
    middles = [(at + timedelta(seconds=step_s / 2)).replace(tzinfo=None).isoformat() for at in buckets]
    ends = [(at + timedelta(seconds=step_s)).isoformat() for at in buckets]
    edges = [list(pair) for pair in zip(starts, ends, strict=True)]
    nothing = (0,) * len(middles)
    bars = [
        _bar(name, by_class.get(name, nothing), x=middles, edges=edges, step_s=step_s, href=href)
        for name in STACK
    ]
    return {"data": bars, "layout": _layout(middles, step_s)}


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


def _layout(x: list[str], step_s: int) -> dict[str, Any]:
    half = timedelta(seconds=step_s / 2)
    ends = [(datetime.fromisoformat(x[0]) - half), (datetime.fromisoformat(x[-1]) + half)] if x else None
    xaxis = {**X_AXIS, "range": [end.isoformat() for end in ends] if ends else None}
    return {**LAYOUT, "xaxis": xaxis, "yaxis": Y_AXIS}
