"""Times in the person's zone: short on the same day, with the day on any other, exact behind."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from console.kit import moments

NOW = datetime(2026, 11, 17, 6, 6, 7, 204_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (NOW, "14:06:07"),
        (NOW - timedelta(hours=13), "01:06:07"),
        (NOW - timedelta(hours=15), "16 Nov 23:06"),
        (NOW - timedelta(days=365), "17 Nov 2025 14:06"),
    ],
)
def test_a_time_is_as_short_as_the_day_allows(at, text):
    with timezone.override("Asia/Shanghai"):
        assert moments.short(at, now=NOW) == text


def test_the_exact_time_and_its_zone_stand_behind():
    with timezone.override("Asia/Shanghai"):
        html = moments.stamp(NOW, now=NOW)
    assert 'datetime="2026-11-17T14:06:07.204+08:00"' in html
    assert 'title="2026-11-17 14:06:07.204 CST"' in html
    assert moments.stamp(None, now=NOW) == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "just now"), (12, "12 s ago"), (250, "4 min ago"), (11_000, "3 h ago"), (200_000, "2 d ago")],
)
def test_how_long_ago(seconds, text):
    assert moments.ago(seconds).replace("\u202f", " ") == text
