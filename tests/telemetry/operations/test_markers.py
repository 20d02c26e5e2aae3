"""Deploys are noted once, at moments charts show."""

from datetime import timedelta

import pytest

from console.audit.models import AuditEntry
from console.kit.actor import SYSTEM, Actor, ActorKind
from telemetry.models import Marker
from telemetry.operations import BadMarker, mark_deploy
from telemetry.queries import deploys
from tests.telemetry.calls import NOON

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def test_a_deploy_told_twice_is_one():
    told = {"name": "trip-booker", "version": "3.8.1", "deployed_at": NOON - HOUR, "by": SYSTEM, "at": NOON}
    first, again = mark_deploy(**told), mark_deploy(**told)
    assert (first[1], again) == (True, (first[0], False))
    assert AuditEntry.objects.filter(subject=f"deploy:{first[0]}").count() == 1
    (row,) = deploys(since=NOON - 2 * HOUR, until=NOON)
    assert (row.name, row.version, row.at) == ("trip-booker", "3.8.1", NOON - HOUR)
    assert deploys(since=NOON, until=NOON + HOUR) == ()


def test_an_agents_deploy_is_its_own():
    mark_deploy(name="x", by=Actor(ActorKind.AGENT, "7", "trip-booker"), at=NOON)
    assert (Marker.objects.get().agent_id, Marker.objects.get().made_by) == (7, "trip-booker")


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "  "},
        {"deployed_at": NOON + HOUR},
        {"deployed_at": NOON - timedelta(days=900)},
        {"url": "javascript:alert(1)"},
    ],
)
def test_what_no_chart_can_show_is_refused(wrong):
    with pytest.raises(BadMarker):
        mark_deploy(**{"name": "x", "by": SYSTEM, "at": NOON, **wrong})
