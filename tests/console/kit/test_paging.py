"""A cursor leads on from the last row, and a made-up one is refused."""

import base64
from contextlib import suppress
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.kit.paging import BadCursor, decode, encode, page_of, page_within


def test_a_cursor_comes_back_as_the_types_it_was_made_of():
    key = (datetime(2026, 11, 30, 14, 6, 31, 7, tzinfo=UTC), UUID(int=7), 5, "名")
    assert decode(encode(key), datetime.fromisoformat, UUID, int, str) == key


@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_a_made_up_cursor_is_refused_or_read_and_never_a_crash(cursor):
    with suppress(BadCursor):
        assert isinstance(decode(cursor, datetime.fromisoformat, UUID)[1], UUID)


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        ("[1e999]", int),
        ("[NaN]", int),
        ("[9223372036854775808]", int),
        ("[-9223372036854775809]", int),
        ('["1%s"]' % ("0" * 40), int),
        ("[%s]" % ("9" * 5_000), int),
        ("[7]", UUID),
        ('["2026-11-30T14:00:00"]', datetime.fromisoformat),
        ('["0001-01-01T00:00:00+23:59"]', datetime.fromisoformat),
        ('["a\\u0000b"]', str),
        ('["\\ud800"]', str),
        ("[" * 20_000, int),
    ],
)
def test_a_forged_cursor_is_refused(made, kind):
    with pytest.raises(BadCursor):
        decode(base64.urlsafe_b64encode(made.encode()).decode(), kind)


def test_a_refused_cursor_names_the_field():
    with pytest.raises(BadCursor) as caught:
        decode("nonsense", int)
    assert caught.value.errors[0].field == "after"


@pytest.mark.parametrize(("rows", "more"), [([1, 2], False), ([1, 2, 3], True), ([], False)])
def test_a_page_knows_whether_more_follow(rows, more):
    page = page_of(rows, limit=2, key=lambda row: (row,))
    assert page.rows == tuple(rows[:2])
    assert (page.after is not None) is more


def test_rows_in_memory_follow_on_even_where_the_cursors_row_is_gone():
    rows = [(-5, "a"), (-3, "b"), (-3, "c"), (0, "d")]
    how = {"limit": 2, "key": lambda row: row, "types": (int, str)}
    first = page_within(rows, after=None, **how)
    rows.remove((-3, "b"))
    second = page_within(rows, after=first.after, **how)
    assert first.rows + second.rows == ((-5, "a"), (-3, "b"), (-3, "c"), (0, "d"))
    assert second.after is None
