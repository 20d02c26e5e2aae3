"""A name breaks behind its separators; whatever it holds stays text, and none of it is lost."""

import pytest

from console.templatetags.names import LONGEST_PART, soft

EVIL = "<script>alert(1)</script>"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("flight.search_second", "flight.<wbr />search_<wbr />second"),
        ("search", "search"),
        ("a/b-c", "a/<wbr />b-<wbr />c"),
        ("..a", "..<wbr />a"),
        ("航班.搜索", "航班.<wbr />搜索"),
        ("", ""),
    ],
)
def test_a_line_may_break_behind_a_separator(name, shown):
    assert soft(name) == shown


def test_a_part_without_end_breaks_where_it_must():
    assert soft("x" * 200).count("<wbr />") == 200 // LONGEST_PART


def test_markup_in_a_name_is_text_and_stays_whole():
    shown = soft(EVIL)
    assert "<script>" not in shown
    assert shown.replace("<wbr />", "") == EVIL.replace("<", "&lt;").replace(">", "&gt;")
