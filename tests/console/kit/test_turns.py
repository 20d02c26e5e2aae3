"""Turns are short while the server lives, long while somebody needs it, and then what they were."""

import sys

import pytest

from console.kit import turns


@pytest.fixture(autouse=True)
def as_before():
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_short_turns_end_with_the_block_even_when_it_breaks():
    before = sys.getswitchinterval()
    with pytest.raises(ValueError, match="broken"), turns.short():
        assert sys.getswitchinterval() == pytest.approx(turns.SHORT_S)
        raise ValueError("broken")
    assert sys.getswitchinterval() == before


def test_long_turns_are_had_once_and_given_back():
    with turns.short():
        long_ = turns.LongWhile()
        for wanted, seconds in (
            (False, turns.SHORT_S),
            *[(True, turns.LONG_S)] * 2,
            *[(False, turns.SHORT_S)] * 2,
        ):
            long_.set(wanted)
            assert long_.on is wanted
            assert sys.getswitchinterval() == pytest.approx(seconds)
