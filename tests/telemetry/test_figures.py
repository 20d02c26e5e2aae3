"""Figures are data: dicts that plotly itself accepts, colours by name, every bar with the way to its calls."""

import json
from datetime import UTC, datetime, timedelta

import plotly.graph_objects as go

from telemetry import figures
from telemetry.vocabulary import FailureClass

START = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
BUCKETS = [START + timedelta(minutes=n) for n in range(3)]
BY_CLASS = {FailureClass.HARD: (0, 2, 1), FailureClass.UNKNOWN_OUTCOME: (1, 0, 0)}


def figure():
    return figures.failures_by_class(buckets=BUCKETS, step_s=60, by_class=BY_CLASS, href="/calls/?window=1h")


def coloured(value):
    """Put a colour for every name, as the page does."""
    if isinstance(value, dict):
        return {key: coloured(item) for key, item in value.items()}
    if isinstance(value, list):
        return [coloured(item) for item in value]
    return "#123456" if isinstance(value, str) and value.startswith("--") else value


def test_plotly_accepts_the_figure():
    drawn = go.Figure(coloured(figure()))
    assert [trace.name for trace in drawn.data] == list(figures.STACK)
    assert list(drawn.data[4].y) == [0, 2, 1]


def test_every_class_has_a_bar_even_where_nothing_failed():
    assert {bar["name"]: sum(bar["y"]) for bar in figure()["data"]} == {
        "transient": 0,
        "invalid_args": 0,
        "empty": 0,
        "partial": 0,
        "hard": 3,
        "unknown_outcome": 1,
        "internal": 0,
    }


def test_a_bar_leads_to_its_calls():
    hard = figure()["data"][4]
    assert hard["meta"]["href"] == "/calls/?window=1h&class=hard"
    assert hard["customdata"][1] == ["2026-11-30T14:01:00+00:00", "2026-11-30T14:02:00+00:00"]


def test_only_what_nobody_knows_is_hatched():
    assert [bar["name"] for bar in figure()["data"] if "pattern" in bar["marker"]] == ["unknown_outcome"]


def test_the_axis_covers_whole_buckets_and_counts_from_nought():
    layout = figure()["layout"]
    assert layout["xaxis"]["range"] == ["2026-11-30T14:00:00", "2026-11-30T14:03:00"]
    assert layout["yaxis"]["rangemode"] == "tozero"


def test_an_empty_figure_is_a_figure():
    empty = figures.failures_by_class(buckets=[], step_s=60, by_class={}, href="?")
    assert json.loads(json.dumps(empty)) == empty
    assert len(go.Figure(coloured(empty)).data) == 7


def test_what_stood_beside_is_shaded_capped_and_lined():
    later = START + timedelta(minutes=1)
    beside = figures.Beside(
        (figures.Band(START, later, "--c-hard"), figures.Band(START, later, "--bad", cap=True)),
        (figures.Moment(later, "deploy <b>x</b> 1.2, 14:01"),),
    )
    made = figures.failures_by_class(buckets=BUCKETS, step_s=60, by_class=BY_CLASS, href="?", beside=beside)
    assert [shape.type for shape in go.Figure(coloured(made)).layout.shapes] == ["rect", "rect", "line"]
    assert made["layout"]["shapes"][2]["x0"] == "2026-11-30T14:01:00"
    (pointer,) = [trace for trace in made["data"] if trace["type"] == "scatter"]
    assert pointer["x"] == ["2026-11-30T14:01:00"]
    assert pointer["text"] == ["deploy &lt;b&gt;x&lt;/b&gt; 1.2, 14:01"]


def test_a_share_is_drawn_beside_what_was_usual_with_gaps_where_nothing_was_called():
    made = figures.failed_share(
        buckets=BUCKETS, step_s=60, rates=[0.1, None, 0.4], usual=0.02, colour="--c-hard", href="/calls/?q=x"
    )
    seen, usual = go.Figure(coloured(made)).data
    assert list(seen.y) == [0.1, None, 0.4]
    assert list(usual.y) == [0.02, 0.02]
    assert made["data"][0]["meta"]["href"] == "/calls/?q=x"


def test_a_share_of_nothing_is_a_figure():
    empty = figures.failed_share(buckets=[], step_s=60, rates=[], usual=0, colour="--ink", href="?")
    assert len(go.Figure(coloured(empty)).data) == 2
