"""Phrases for days and times, which rules read: recovery.md §4.9."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from switchboard.phrases import moment, plain_date
from switchboard.testing import FakeClock


@pytest.mark.parametrize(
    ("phrase", "day", "at"),
    [
        ("明天下午两点", "2030-01-02", "2030-01-02T14:00+00:00"),
        ("后天", "2030-01-03", None),
        ("明天中午", "2030-01-02", "2030-01-02T12:00+00:00"),
        ("大后天上午十一点二十分", "2030-01-04", "2030-01-04T11:20+00:00"),
        ("明天下午两点半", "2030-01-02", "2030-01-02T14:30+00:00"),
        ("今天凌晨12点", "2030-01-01", "2030-01-01T00:00+00:00"),
        ("Tomorrow at 2 pm", "2030-01-02", "2030-01-02T14:00+00:00"),
        ("today, 9:30am", "2030-01-01", "2030-01-01T09:30+00:00"),
        ("the day after tomorrow", "2030-01-03", None),
        ("下午两点", None, None),
        ("明天二十五点", None, None),
        ("明天下午十四点", None, None),
        ("tomorrow at 2:75", None, None),
        ("some day next week", None, None),
        ("明天十十点", None, None),
    ],
)
def test_date_phrases_are_read_as_a_whole_or_not_at_all(phrase: str, day: str | None, at: str | None) -> None:
    now = FakeClock().now()
    assert (plain_date(phrase, now), moment(phrase, now)) == (day, at)


@given(st.text(max_size=30))
def test_no_phrase_breaks_the_reader(phrase: str) -> None:
    now = FakeClock().now()
    assert plain_date(phrase, now) is None or len(plain_date(phrase, now) or "") == 10
