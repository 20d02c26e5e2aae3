"""Numbers and lengths of time: as precise as their size deserves, never rounded into another meaning."""

import pytest
from django.utils import translation

from console.kit import quantities
from console.kit.quantities import THIN as T


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (None, ""),
        (0, "0 %"),
        (0.00002, "0.01 %"),
        (0.0042, "0.4 %"),
        (0.944, "94.4 %"),
        (0.99994, "99.99 %"),
        (0.9999999, "99.99 %"),
        (1, "100 %"),
    ],
)
def test_a_share_never_rounds_to_all_or_nothing(share, text):
    assert quantities.percent(share) == text.replace(" ", quantities.THIN)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, ""),
        (0, "0 ms"),
        (0.006, "6 ms"),
        (0.11, "0.11 s"),
        (0.4, "0.40 s"),
        (3.4, "3.4 s"),
        (6.0, "6 s"),
        (9.97, "10 s"),
        (119.4, "119 s"),
        (372, "6 min 12 s"),
        (360, "6 min"),
        (7800, "2 h 10 min"),
        (90_000, "1 d 1 h"),
    ],
)
def test_how_long_something_took(seconds, text):
    assert quantities.took(seconds) == text.replace(" ", quantities.THIN)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0 s"),
        (40, "40 s"),
        (182, "3 min 02 s"),
        (899, "14 min 59 s"),
        (900, "15 min"),
        (7199, "119 min"),
        (7800, "2 h 10"),
        (260_000, "3 d"),
    ],
)
def test_what_is_left(seconds, text):
    assert quantities.left(seconds) == text.replace(" ", quantities.THIN)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 min"), (2880, "48 min"), (3700, "1 h 01"), (7800, "2 h 10"), (260_000, "3 d")],
)
def test_how_long_something_waits(seconds, text):
    assert quantities.waited(seconds) == text.replace(" ", quantities.THIN)


def test_counts_and_sizes():
    assert (quantities.count(184_212), quantities.count(None)) == ("184,212", "")
    assert [quantities.size(n) for n in (412, 2048, 3_500_000)] == [f"412{T}B", f"2{T}KiB", f"3.3{T}MiB"]


def test_the_same_in_chinese():
    with translation.override("zh-hans"):
        assert quantities.took(372).split(quantities.THIN) == ["6", "分", "12", "秒"]
