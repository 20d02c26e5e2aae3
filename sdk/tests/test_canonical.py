import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import switchboard
from switchboard._canonical import args_digest


def test_the_digest_is_the_sha256_of_the_canonical_json_that_the_contract_names():
    step = {"id": "s1", "tool": "refund", "args": {"b": 1, "a": "é"}, "idempotency_key": "k", "run": True}
    spelled = (
        '["case-1",2,[{"args":{"a":"é","b":1},"depends_on":[],"id":"s1","idempotency_key":"k",'
        '"run":true,"run_if":null,"tool":"refund"}]]'
    )
    assert args_digest("case-1", 2, [step]) == hashlib.sha256(spelled.encode()).hexdigest()


def test_fields_outside_the_contract_do_not_move_the_digest_and_every_one_inside_does():
    step = {
        "id": "s",
        "tool": "t",
        "args": {},
        "depends_on": [],
        "run_if": None,
        "idempotency_key": "k",
        "run": True,
    }
    plain = args_digest("c", 1, [step])
    assert args_digest("c", 1, [{**step, "note": "x", "edited": True}]) == plain
    changes = {
        "id": "z", "tool": "z", "args": {"a": 1}, "depends_on": ["z"], "run_if": {"step": "z", "is": "empty"},
        "idempotency_key": "z", "run": False,
    }  # fmt: skip
    for name, value in changes.items():
        assert args_digest("c", 1, [{**step, name: value}]) != plain, name
    assert args_digest("c", 2, [step]) != plain
    assert args_digest("d", 1, [step]) != plain


def test_the_order_of_steps_is_part_of_what_was_decided():
    one, two = {"id": "1", "tool": "t", "args": {}}, {"id": "2", "tool": "t", "args": {}}
    assert args_digest("c", 1, [one, two]) != args_digest("c", 1, [two, one])


@pytest.mark.parametrize("value", [2**53, -(2**53) - 1, float("nan"), float("inf"), "\ud800", {1: 2}])
def test_what_has_no_one_form_is_refused_with_a_sentence(value):
    with pytest.raises(switchboard.Unsendable, match="Send large integers as text"):
        switchboard.canonical({"x": value} if not isinstance(value, dict) else value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)  # fmt: skip


@given(json_values)
def test_the_order_in_which_keys_were_written_does_not_matter(value):
    def turned(inner):
        if isinstance(inner, dict):
            return {key: turned(inner[key]) for key in reversed(list(inner))}
        return [turned(each) for each in inner] if isinstance(inner, list) else inner

    assert switchboard.canonical(turned(value)) == switchboard.canonical(value)
