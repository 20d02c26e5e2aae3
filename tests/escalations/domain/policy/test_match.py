import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from escalations.domain import plan, policy
from escalations.vocabulary import Comparison
from tests.escalations import made

NUMBERS = st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9, allow_nan=False)
DECIMAL = r"-?[0-9]+(\.[0-9]+)?"
WORDS = st.text(max_size=5)
OTHERS = st.none() | st.booleans() | WORDS | st.lists(st.integers(0, 3), max_size=2)


def fits(args, path, is_, value=None):
    return policy.fits(policy.Condition(path=path, is_=Comparison(is_), value=value), args)


@pytest.mark.parametrize(
    ("args", "path", "is_", "value", "wanted"),
    [
        ({"amount": 100}, "amount", "more_than", 99, True),
        ({"amount": 100}, "amount", "more_than", 100, False),
        ({"amount": 100}, "amount", "at_least", 100, True),
        ({"amount": 100}, "amount", "at_most", 99.5, False),
        ({"amount": "1840.00"}, "amount", "more_than", 500, True),
        ({"amount": "1840.00"}, "amount", "at_most", 1840, True),
        ({"amount": "0.10"}, "amount", "less_than", 0.1, False),
        ({"amount": "-9"}, "amount", "less_than", 10, True),
        ({"amount": "9"}, "amount", "at_least", 10, False),
        ({"amount": "1840.00"}, "amount", "equal", 1840, False),
        ({"amount": "1,840"}, "amount", "more_than", 1, False),
        ({"amount": "1e9"}, "amount", "more_than", 1, False),
        ({"amount": "1840 EUR"}, "amount", "more_than", 1, False),
        ({"amount": "1840\n"}, "amount", "more_than", 1, False),
        ({"amount": "١٨٤٠"}, "amount", "more_than", 1, False),
        ({"amount": "Infinity"}, "amount", "more_than", 1, False),
        ({"amount": True}, "amount", "at_least", 1, False),
        ({"amount": 1}, "amount", "equal", 1.0, True),
        ({"amount": 1}, "amount", "equal", True, False),
        ({"amount": 1}, "amount", "equal", "1", False),
        ({"amount": True}, "amount", "one_of", [1, 2], False),
        ({"amount": 2.0}, "amount", "one_of", [1, 2], True),
        ({"fare": {"price": 3}}, "fare.price", "equal", 3, True),
        ({"fare": {"price": [3, 4]}}, "/fare/price/1", "equal", 4, True),
        ({"a/b": {"c~d": 1}}, "/a~1b/c~0d", "equal", 1, True),
        ({"rows": [1]}, "/rows/01", "equal", 1, False),
        ({"rows": [1]}, "/rows/7", "not_equal", 1, False),
        ({}, "amount", "not_equal", 5, False),
        ({"amount": None}, "amount", "not_equal", 5, True),
        (None, "amount", "not_equal", 5, False),
        ({"flight": "MU5138"}, "flight", "like", "MU*", True),
        ({"flight": 5138}, "flight", "like", "5*", False),
    ],
)
def test_numbers_words_and_what_is_missing_are_told_apart(args, path, is_, value, wanted):
    assert fits(args, path, is_, value) is wanted


@given(NUMBERS, NUMBERS)
def test_a_number_stands_on_one_side_of_another(found, limit):
    args = {"amount": found}
    more, most = fits(args, "amount", "more_than", limit), fits(args, "amount", "at_most", limit)
    less, least = fits(args, "amount", "less_than", limit), fits(args, "amount", "at_least", limit)
    assert (more, less) == (not most, not least)
    assert fits(args, "amount", "equal", found)


@given(st.decimals(-(10**9), 10**9, places=2), st.integers(-(10**9), 10**9))
def test_a_decimal_written_as_text_stands_where_its_number_does(found, limit):
    args = {"amount": f"{found:f}"}
    assert fits(args, "amount", "more_than", limit) is (found > limit)
    assert fits(args, "amount", "less_than", limit) is (found < limit)


@given(OTHERS.filter(lambda found: not (isinstance(found, str) and re.fullmatch(DECIMAL, found))), NUMBERS)
def test_what_is_no_number_is_on_no_side(found, limit):
    for is_ in ("more_than", "at_most", "less_than", "at_least"):
        assert not fits({"amount": found}, "amount", is_, limit)


@given(st.sampled_from(list(Comparison)), OTHERS | NUMBERS)
def test_a_missing_argument_fits_nothing(is_, value):
    """Check: rule with an empty or missing argument condition is refused; a missing argument never means any."""
    assert not policy.fits(policy.Condition(path="amount", is_=is_, value=value), {"other": 1})


@pytest.mark.parametrize("is_", list(Comparison))
@pytest.mark.parametrize(
    "path", ["card", "card.number", "/card/number", "/card/number/$ref", "/cards/0", "/cards"]
)
def test_what_was_redacted_fits_nothing_not_even_not_equal(path, is_):
    hidden = {"$ref": "arg-1"}
    args = {"card": {"number": hidden, "owner": "ana"}, "cards": [hidden, 7]}
    value = [hidden, 0] if is_ is Comparison.ONE_OF else "*" if is_ is Comparison.LIKE else 0
    assert not fits(args, path, is_, value)
    assert not fits(args, path, is_, hidden)


def test_what_stands_beside_a_redacted_value_is_seen():
    args = {"card": {"number": {"$ref": "arg-1"}, "owner": "ana"}, "cards": [{"$ref": "arg-2"}, 7]}
    assert fits(args, "card.owner", "equal", "ana")
    assert fits(args, "/cards/1", "not_equal", 8)


def rule(**more):
    small = policy.Condition(path="points_max", is_=Comparison.AT_MOST, value=40_000)
    return policy.Match(tool="upgrade.*", arguments=(small,), **more)


def plan_of(*steps):
    said = {**made.keep_seat(), "steps": list(steps)}
    return plan.proposals_of({"proposals": [said]})[0]


def test_a_rule_that_decides_holds_for_every_writing_call_of_the_plan():
    small = made.step("a", "upgrade.request", args={"points_max": 10})
    large = made.step("b", "upgrade.request", args={"points_max": 50_000})
    other = made.step("c", "pay.now", args={"points_max": 10})
    look = made.step("r", "fare.look", side_effect="read")
    assert policy.holds_for_plan(rule(), plan_of(look, small))
    assert not policy.holds_for_plan(rule(), plan_of(small, large))
    assert not policy.holds_for_plan(rule(), plan_of(small, other))
    assert not policy.holds_for_plan(rule(), plan_of())
    assert not policy.holds_for_plan(rule(), plan_of(look))


@given(st.dictionaries(st.text(max_size=4), OTHERS | NUMBERS, max_size=4))
def test_every_leaf_is_found_again_at_its_pointer(args):
    for path, value in policy.leaves({"inner": args}):
        assert policy.at_path({"inner": args}, path) == value
