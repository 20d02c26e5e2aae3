"""Quiet hours have both ends, and each setting has its entry."""

from datetime import time

import pytest

from console.audit.queries import history
from console.notices import contract, operations
from console.notices.operations.preferences import HalfANight
from console.notices.queries.channels import preferences
from tests.console.notices.rows import actor
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def test_they_are_kept_with_the_zone_they_were_meant_in(operator):
    said = contract.SetPreferences(quiet_from=time(22), quiet_until=time(7), urgent_at_once=False)
    operations.set_quiet_hours(said=said, zone="Asia/Shanghai", by=actor(operator), at=NOON)
    kept = preferences(person_id=operator.pk, person_zone="")
    assert (kept.quiet_from, kept.quiet_until, kept.urgent_at_once, kept.zone) == (
        time(22),
        time(7),
        False,
        "Asia/Shanghai",
    )
    assert preferences(person_id=operator.pk, person_zone="Europe/Berlin").zone == "Europe/Berlin"
    assert [entry.verb for entry in history(subject=f"person:{operator.pk}")] == ["quiet_hours_set"]


def test_half_a_night_is_refused(operator):
    with pytest.raises(HalfANight):
        operations.set_quiet_hours(
            said=contract.SetPreferences(quiet_from=time(22)), zone="", by=actor(operator), at=NOON
        )


def test_whoever_chose_nothing_is_never_left_alone(operator):
    kept = preferences(person_id=operator.pk, person_zone="")
    assert (kept.quiet_from, kept.urgent_at_once, kept.zone) == (None, True, "UTC")
