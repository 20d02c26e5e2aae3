"""Bytes that may be anything are read, neutralised, or refused; nothing else."""

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.hostile import NotJson, cleaned, fitted, read


def test_plain_json_is_taken_as_it_stands():
    assert read(b'{"a": [1, 2.5, "\xe9\x9d\xa0"]}') == ({"a": [1, 2.5, "靠"]}, False)


@pytest.mark.parametrize(
    ("body", "flag"),
    [
        (b'{"a": "x\\u0000y"}', "nul"),
        (b'{"a": "\\ud800"}', "surrogate"),
        (b'{"a": NaN, "b": -Infinity}', "not_finite"),
        (b'{"a": 123456789012345678901234567890}', "big_integer"),
    ],
)
def test_what_a_database_would_choke_on_is_read_and_marked_for_cleaning(body, flag):
    value, risky = read(body)
    assert risky
    clean, flags = cleaned(value)
    orjson.loads(orjson.dumps(clean))
    assert flag in flags
    assert b"\\u0000" not in orjson.dumps(clean)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a": 1} x'])
def test_what_is_no_json_is_refused(body):
    with pytest.raises(NotJson):
        read(body)


def test_an_integer_of_a_hundred_thousand_digits_becomes_a_short_text():
    value, _ = read(b'{"a": %s}' % (b"9" * 100_000))
    assert value == {"a": "9" * 32 + "…"}


def test_bytes_that_are_no_utf8_are_replaced():
    value, risky = read(b'{"a": "\xff"}')
    assert value == {"a": "\ufffd"}
    assert risky


def test_long_texts_are_cut_before_whole_parts_go():
    detail = {"args": {"q": "lisbon"}, "result": "x" * 100_000}
    text, flags = fitted(detail, limit=32_000)
    assert len(text) <= 32_000
    assert flags == {"truncated"}
    assert orjson.loads(text)["args"] == {"q": "lisbon"}


def test_a_thousand_long_texts_lose_the_whole_part():
    detail = {"args": {"q": "lisbon"}, "result": ["x" * 300] * 1_000}
    text, flags = fitted(detail, limit=64_000)
    assert len(text) <= 64_000
    assert orjson.loads(text)["args"] == {"q": "lisbon"}
    assert "truncated" in flags


def test_what_is_nested_deeper_than_it_can_be_written_is_cut_off():
    value = 1
    for _ in range(900):
        value = {"a": value}
    text, flags = fitted({"args": value}, limit=64_000)
    assert flags == {"too_deep"}
    assert orjson.loads(text)["args"]["a"]["a"]["a"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(anything)
def test_whatever_python_can_write_as_json_becomes_storable(value):
    said, _ = read(json.dumps(value).encode())
    clean, _ = cleaned(said)
    text = orjson.dumps(clean)
    assert b"\\u0000" not in text
    assert orjson.loads(text) == clean
