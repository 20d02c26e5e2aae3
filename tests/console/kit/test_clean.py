"""Whatever an agent sends ends as a value that both databases and every browser can hold."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.kit.clean import MAX_DEPTH, MAX_ITEMS, clean, clean_text, visible

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
)


ESCAPED_NUL = re.compile(
    rb"(?<!\\)(?:\\\\)*\\u0000"
)  # after an even number of backslashes: a text may spell it


@given(ANYTHING)
def test_every_value_becomes_strict_json_in_utf_8(value):
    cleaned = clean(value).value
    written = json.dumps(cleaned, allow_nan=False, ensure_ascii=False).encode("utf-8")
    assert b"\x00" not in written
    assert not ESCAPED_NUL.search(written)


@given(ANYTHING)
def test_cleaning_twice_changes_nothing_more(value):
    once = clean(value).value
    assert clean(once).value == once


def test_what_was_changed_is_said():
    hostile = {"a\x00": "\ud800", "n": float("nan"), "big": 2**70, "deep": [], "long": "x" * 30_000}
    cleaned = clean(hostile)
    assert cleaned.flags == {"nul", "surrogate", "not_finite", "big_integer", "truncated"}
    assert cleaned.value == {
        "a\ufffd": "?",
        "n": "nan",
        "big": str(2**70),
        "deep": [],
        "long": "x" * 19_999 + "…",
    }


def test_a_plain_value_is_left_alone():
    plain = {"seat": "靠窗", "n": 3, "ok": True, "rate": 0.5, "none": None, "list": [1, "two"]}
    cleaned = clean(plain)
    assert (cleaned.value, cleaned.flags) == (plain, set())


def test_depth_and_width_have_an_end():
    deep: object = "bottom"
    for _ in range(MAX_DEPTH + 10):
        deep = [deep]
    assert clean(deep).flags == {"too_deep"}
    wide = clean(list(range(MAX_ITEMS + 1)))
    assert (len(wide.value), wide.flags) == (MAX_ITEMS, {"too_many_items"})


def test_a_text_is_cut_with_a_sign_of_it():
    assert clean_text("abcdef", limit=4) == "abc…"


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\u200b\u2060\ufeff", "\u202e\u2066", "\x00\x00", "\ufffd", "\u2800\u3164"]
)
def test_what_nobody_would_see_is_blank(text):
    assert visible(text) == ""


@pytest.mark.parametrize("text", ["no", "不", "👍", "-", "\u202eno\u202c"])
def test_what_somebody_sees_stays_as_it_is_without_blanks_around(text):
    assert visible(f"  {text} ") == text
