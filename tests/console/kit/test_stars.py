"""Stars in a text, as LIKE reads them."""

import pytest

from console.kit.stars import like_pattern, too_many_stars


@pytest.mark.parametrize(
    ("glob", "pattern"),
    [
        ("pay*", "pay%"),
        ("*.search", "%.search"),
        ("a***b", "a%b"),
        ("100%_!\\*", "100!%!_!!\\%"),
        ("plain", "plain"),
    ],
)
def test_only_a_star_is_special(glob, pattern):
    assert like_pattern(glob) == pattern


@pytest.mark.parametrize(
    ("glob", "many"), [("*a*a*a*", False), ("*a*a*a*a*", True), ("*" * 500, False), ("", False)]
)
def test_stars_that_stand_together_are_one(glob, many):
    assert too_many_stars(glob) is many
