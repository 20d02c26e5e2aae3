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


def test_a_line_after_the_deadline_says_so():
    found = rests(at=NIGHT, due=NIGHT + made.timedelta(minutes=30))
    assert [(rest.choice, rest.too_late) for rest in found] == [
        ("15m", False),
        ("1h", True),
        ("4h", True),
        ("morning", True),
    ]
