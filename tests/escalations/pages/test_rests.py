"""The lines of the snooze menu are times in the person's own zone."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from escalations.pages.rests import rests, until
from tests.escalations import made

NIGHT = datetime(2026, 11, 30, 20, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _in_shanghai():
    with timezone.override("Asia/Shanghai"):
        yield


@pytest.mark.parametrize(
    ("choice", "picked", "expected"),
    [
        ("15m", "", datetime(2026, 11, 30, 20, 15, tzinfo=UTC)),
        ("1h", "", datetime(2026, 11, 30, 21, tzinfo=UTC)),
        ("morning", "", datetime(2026, 12, 2, 1, tzinfo=UTC)),
        ("pick", "2026-12-01T10:30", datetime(2026, 12, 1, 2, 30, tzinfo=UTC)),
        ("pick", "soon", None),
        ("", "", None),
    ],
)
def test_until_when(choice, picked, expected):
    assert until(choice, picked, at=NIGHT) == expected


def test_where_every_line_lies_after_the_deadline_there_are_others_before_it():
    due = NIGHT + made.timedelta(minutes=12)
    half, close, *usual = rests(at=NIGHT, due=due)
    assert (half.until, close.until) == (
        NIGHT + made.timedelta(minutes=6),
        NIGHT + made.timedelta(minutes=7),
    )
    assert [until(rest.choice, "", at=NIGHT + made.timedelta(seconds=9)) for rest in (half, close)] == [
        half.until,
        close.until,
    ]
    assert all(rest.too_late for rest in usual)
    assert until("at:soon", "", at=NIGHT) is None


@pytest.mark.parametrize(("minutes", "more"), [(1, 0), (3, 1), (14, 2), (16, 0)])
def test_a_case_that_is_due_at_once_is_not_put_aside(minutes, more):
    found = rests(at=NIGHT, due=NIGHT + made.timedelta(minutes=minutes))
    assert len(found) == 4 + more


def test_a_line_after_the_deadline_says_so():
    found = rests(at=NIGHT, due=NIGHT + made.timedelta(minutes=30))
    assert [(rest.choice, rest.too_late) for rest in found] == [
        ("15m", False),
        ("1h", True),
        ("4h", True),
        ("morning", True),
    ]
