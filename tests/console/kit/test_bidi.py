"""A name inside a sentence turns nothing but itself."""

import pytest

from console.kit.bidi import apart


@pytest.mark.parametrize("name", ["", "pay.refund", "余额查询", "a b\u2069"])
def test_what_turns_nothing_stays_as_it_is(name):
    assert apart(name) == name


@pytest.mark.parametrize("name", ["\u202eevil", "שלום", "مرحبا", "a\u2067b"])
def test_what_turns_is_set_apart(name):
    assert apart(name) == f"\u2068{name}\u2069"


def test_a_name_cannot_end_its_own_isolation():
    assert apart("\u202ea\u2069b") == "\u2068\u202eab\u2069"
