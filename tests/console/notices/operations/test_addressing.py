"""A notice becomes one delivery per channel that it concerns, at the time that its person allows."""

from datetime import UTC, datetime, time, timedelta

import pytest

from console.notices import contract, operations
from console.notices.domain.audience import Audience
from console.notices.models import Delivery, Notice
from console.notices.vocabulary import Topic, Urgency
from tests import factories
from tests.console.notices.rows import actor, addressed, channel, notice, take
from tests.factories import NOON

pytestmark = pytest.mark.django_db
NIGHT = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)


@pytest.fixture
def ana(operator):
    operator.time_zone = "Asia/Shanghai"  # noon in UTC is 20:00 there
    operator.save()
    return actor(operator, "operator")


def quiet(by, start="22:00", end="07:00", **more):
    said = contract.SetPreferences(
        quiet_from=time.fromisoformat(start), quiet_until=time.fromisoformat(end), **more
    )
    operations.set_quiet_hours(said=said, zone="Europe/Berlin", by=by, at=NOON)


def test_each_channel_gets_it_once_and_the_notice_is_done(ana):
    mine, team = channel(by=ana), channel()
    channel(topics=[Topic.SPIKE_OPENED])
    notice()
    found = {row.channel_id for row in addressed()}
    assert found == {mine, team}
    assert Notice.objects.get().fan_at is None
    assert not operations.address_some(at=NOON)


def test_roles_are_read_when_it_is_addressed(sre):
    sam = channel(by=actor(sre), topics=[Topic.SPIKE_OPENED])
    channel(by=actor(factories.person("eve")), topics=[Topic.SPIKE_OPENED])
    notice(topic=Topic.SPIKE_OPENED, audience=Audience(roles=frozenset({"sre"})))
    assert [row.channel_id for row in addressed()] == [sam]


def test_someone_who_left_gets_nothing(operator):
    channel(by=actor(operator))
    operator.is_active = False
    operator.save()
    notice()
    assert addressed() == []


def test_quiet_hours_are_the_persons_own_and_not_the_teams(ana):
    mine, team = channel(by=ana), channel()
    quiet(ana)
    late = NOON + timedelta(hours=3)  # 23:00 in Shanghai
    notice(at=late)
    due = {row.channel_id: row.due_at for row in addressed(at=late)}
    assert due == {mine: NOON + timedelta(hours=11), team: late}


def test_a_person_without_a_zone_is_quiet_in_the_one_their_browser_had(rival):
    channel(by=actor(rival))
    quiet(actor(rival))
    notice(at=NIGHT)
    assert [row.due_at for row in addressed(at=NIGHT)] == [datetime(2026, 12, 1, 6, 0, tzinfo=UTC)]


@pytest.mark.parametrize(("allowed", "hours"), [(True, 3), (False, 11)])
def test_what_is_urgent_goes_past_quiet_hours_where_the_person_allows_it(ana, allowed, hours):
    channel(by=ana)
    quiet(ana, urgent_at_once=allowed)
    late = NOON + timedelta(hours=3)
    notice(at=late, urgency=Urgency.URGENT)
    assert [row.due_at for row in addressed(at=late)] == [NOON + timedelta(hours=hours)]


def test_quiet_hours_that_are_set_later_hold_what_waits_already(ana):
    channel(by=ana)
    notice()
    addressed()
    quiet(ana, "19:00", "21:00")
    assert take() is None
    assert Delivery.objects.get().due_at == NOON + timedelta(hours=1)
    assert take(3600) is not None


def test_whoever_leaves_while_something_waits_is_sent_nothing(operator):
    channel(by=actor(operator))
    notice()
    addressed()
    operator.is_active = False
    operator.save()
    assert take() is None
    assert Delivery.objects.get().state == "dropped"


def test_many_are_addressed_in_a_few_statements(django_assert_max_num_queries):
    channel()
    for number in range(20):
        notice(subject_key=f"thing:{number}")
    with django_assert_max_num_queries(6):
        assert operations.address_some(at=NOON) is False
    assert Delivery.objects.count() == 20
