"""Digests: one value, one byte string, whoever computes it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.kit.canonical import NotCanonical, canonical, digest

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


def test_the_rfc_example_comes_out_as_the_rfc_prints_it():
    value = {"numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 1e-27], "literals": [None, True, False]}
    assert canonical(value) == (
        b'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}'
    )


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON, max_size=5))
def test_the_order_of_keys_does_not_matter(value):
    turned = dict(reversed(value.items()))
    assert digest(turned) == digest(value)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 2**53, -(2**60), {1: 2}, "\ud800", b"x", object()]
)
def test_what_two_languages_would_read_differently_is_refused(value):
    with pytest.raises(NotCanonical):
        digest([value])
