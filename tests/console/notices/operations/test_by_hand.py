"""A test goes past quiet hours, digest and pauses; another try of what was given up keeps its id."""

import pytest

from console.notices import operations
from console.notices.models import Channel, Delivery
from console.notices.operations.by_hand import ChannelGone, NoSuchDelivery
from console.notices.vocabulary import State
from tests.console.notices.rows import ADMIN, actor, addressed, channel, end, notice, take
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def test_a_test_is_sent_although_the_channel_is_left_alone_and_waits_for_its_digest():
    name = channel(digest_minutes=60)
    notice()
    addressed()
    end(take(), fault="HTTP 500")
    delivery = operations.send_test(channel_id=name, by=ADMIN, at=NOON)
    message = take()
    assert [item.topic for item in message.items] == ["test"]
    end(message)
    assert Delivery.objects.get(pk=delivery).state == State.SENT


def test_a_paused_channel_is_not_tested():
    name = channel()
    operations.pause_channel(channel_id=name, paused=True, by=ADMIN, at=NOON)
    with pytest.raises(ChannelGone):
        operations.send_test(channel_id=name, by=ADMIN, at=NOON)


def test_what_was_given_up_goes_once_more_under_its_old_id():
    channel()
    notice()
    addressed()
    first = take()
    Delivery.objects.update(tries=30)
    end(first, fault="HTTP 500")
    row = Delivery.objects.get()
    assert row.state == State.FAILED
    operations.redeliver(delivery_id=row.pk, by=ADMIN, at=NOON)
    again = take()
    assert (again.message_id, Channel.objects.get().failures) == (first.message_id, 1)
    end(again)
    assert Delivery.objects.get().state == State.SENT


def test_only_who_may_change_the_channel_redelivers(operator, rival):
    channel(by=actor(operator))
    notice()
    (row,) = addressed()
    for by in (actor(rival, "admin"), actor(rival)):
        with pytest.raises(NoSuchDelivery):
            operations.redeliver(delivery_id=row.pk, by=by, at=NOON)
