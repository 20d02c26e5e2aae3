"""Bars and waits on one axis: in proportion, never invisible, with long waits taken out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.kit.lanes import LEAST, RIGHT, Scale, Span, long_waits

UNITS = ("s", "min", "h")


def place(text):
    return float(text.rstrip("%"))


def test_proportions_are_kept():
    drawn = Scale(10).draw([Span(0, 1), Span(1, 3)])
    assert place(drawn[1].width) == pytest.approx(2 * place(drawn[0].width), rel=0.01)


def test_the_shortest_bar_can_be_seen_and_a_wait_stays_as_long_as_it_was():
    bar, wait = Scale(1000).draw([Span(0, 0.001), Span(1, 1.001, kind="wait")])
    assert place(bar.width) == pytest.approx(LEAST)
    assert place(wait.width) < LEAST


@given(
    st.floats(0.01, 1e6),
    st.lists(st.floats(0, 1), min_size=2, max_size=6, unique=True),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_later_is_never_further_left_and_nothing_leaves_the_axis(length, cuts, one, other):
    edges = sorted(cut * length for cut in cuts)
    breaks = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False) if b - a > 1e-9]
    scale = Scale(length, breaks)
    near, far = sorted((scale.at(one * length), scale.at(other * length)))
    assert near >= -1e-6
    assert far <= RIGHT + 1e-6
    if one <= other:
        assert scale.at(one * length) <= scale.at(other * length) + 1e-6


def test_a_broken_stretch_keeps_a_sliver():
    whole, broken = Scale(1000), Scale(1000, [(10, 990)])
    assert broken.at(10) > 10 * whole.at(10)
    assert broken.at(990) > broken.at(10)
    assert broken.ticks(UNITS) == ()


@pytest.mark.parametrize("length", [0, 0.2, 1, 4.4, 10, 61, 4000, 1e7])
def test_an_axis_has_few_round_marks(length):
    ticks = Scale(length).ticks(UNITS)
    assert 1 <= len(ticks) <= 7
    assert ticks[0].label.startswith("0\u202f")


def test_an_axis_speaks_in_the_unit_that_suits_it():
    ends = [Scale(length).ticks(UNITS)[-1].label for length in (60, 600, 36_000)]
    assert ends == ["60\u202fs", "10\u202fmin", "10\u202fh"]


@pytest.mark.parametrize(("length", "end"), [(0.15, 1), (4.4, 5), (10, 10), (10_000, 10_000)])
def test_a_rounded_axis_ends_at_a_round_number(length, end):
    assert Scale.rounded(length).length == end


def test_a_persons_wait_is_long_only_beside_the_rest():
    spans = [Span(0, 1), Span(1, 373, kind="person"), Span(373, 374)]
    assert long_waits(spans) == ((1, 373),)
    assert long_waits([Span(0, 1000), Span(1000, 1372, kind="person")]) == ()
