"""Times brought to where they can be shown and added to."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from console.kit import calendar


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00+23:59",
        "0001-01-01T00:00:00-23:59",
        "9999-12-31T23:59:59-23:59",
        "9999-12-31T23:59:59+00:00",
    ],
)
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue"])
def test_the_ends_of_the_calendar_can_be_shown_in_any_zone_and_added_to(text, zone):
    at = calendar.within(datetime.fromisoformat(text))
    assert calendar.EARLIEST <= at <= calendar.LATEST
    assert (at + timedelta(days=31)).astimezone(ZoneInfo(zone)) > at


def test_every_other_time_stays_itself():
    at = datetime.fromisoformat("2026-11-30T20:00:00.123456+08:00")
    assert calendar.within(at) == at
    assert calendar.within(at).tzinfo is UTC
