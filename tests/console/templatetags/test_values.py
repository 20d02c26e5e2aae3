"""Other people's JSON on a page: escaped, capped, without end nowhere."""

import pytest
from django.template import Context, Template
from django.utils import timezone

from console.templatetags.values import brief, gist, pretty, tree

EVIL = '"><script>alert(1)</script>'


def test_nothing_in_a_value_becomes_markup():
    html = tree({EVIL: [EVIL, {"a": EVIL}]}) + gist({EVIL: EVIL})
    assert "<script>" not in tree({EVIL: [EVIL, {"a": EVIL}]})
    assert html


def test_gist_is_escaped_by_the_template():
    html = Template("{% load values %}{{ value|gist }}").render(Context({"value": {EVIL: EVIL}}))
    assert "<script>" not in html


def test_redacted_values_are_black_and_do_not_tell_their_reference():
    html = tree({"card": {"$ref": "secret-7"}})
    assert "secret-7" not in html
    assert 'class="redact"' in html
    assert "secret-7" not in gist({"card": {"$ref": "secret-7"}})


def test_long_things_are_cut_and_say_by_how_much():
    assert "212 more" in tree(list(range(252)))
    assert "800 more characters" in tree("x" * 2000)
    assert len(brief("x" * 500)) == 80
    assert len(gist({str(n): "x" * 50 for n in range(50)})) <= 110


def test_a_value_of_any_depth_ends():
    deep = value = []
    for _ in range(500):
        value.append([])
        value = value[0]
    assert "[…]" in tree(deep)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            {"seat": "12A", "n": 3, "ok": True, "list": [1, 2], "o": {"a": 1}, "none": None},
            "seat 12A, n 3, ok true, list ×2, o {…}, none null",
        ),
        ([1, 2, 3], "3 items"),
        ([1], "1 item"),
        ("plain", "plain"),
        (None, "null"),
        ({}, ""),
    ],
)
def test_the_gist_of_a_value(value, text):
    assert gist(value) == text


def test_a_time_in_a_value_is_told_in_the_persons_zone():
    with timezone.override("Asia/Shanghai"):
        assert gist({"until": "2031-12-01T00:01:30+00:00"}) == "until 1 Dec 2031 08:01"


@pytest.mark.parametrize(
    "odd", ["2031-13-41T00:01:30+00:00", "9999-12-31T23:59:59-12:00", "2031-12-01T00:01:30", "2031-12-01"]
)
def test_what_only_looks_like_a_time_is_told_as_it_stands(odd):
    with timezone.override("Asia/Shanghai"):
        assert gist({"until": odd}) == f"until {odd}"


def test_pretty_keeps_the_value_and_its_characters():
    assert pretty({"a": "靠窗"}) == '{\n  "a": "靠窗"\n}'


def test_a_difference_is_shown_without_stray_space():
    html = Template("{% load values %}{% diff a b %}").render(Context({"a": {"x": EVIL}, "b": {"x": 1}}))
    assert "<mark>1</mark>" in html
    assert "<script>" not in html
