"""Messages leave once at a time per channel, come up again after a crash, and hold up nobody but themselves."""

import threading
from datetime import timedelta

import pytest
from django.db import connection

from console.audit.queries import history
from console.notices.domain.timing import MOST_TRIES
from console.notices.domain.words import Words
from console.notices.models import Attempt, Channel, Delivery
from console.notices.vocabulary import State, Urgency
from tests.console.notices.rows import addressed, channel, end, notice, take
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def states():
    return sorted(Delivery.objects.values_list("state", flat=True))


def test_a_message_is_taken_once_and_sent_once():
    channel()
    notice()
    addressed()
    message = take()
    assert [item.words["ref"] for item in message.items] == ["C-1"]
    assert take() is None
    end(message)
    assert (states(), take(3600)) == ([State.SENT], None)


def test_whoever_crashes_with_a_message_lets_it_come_up_again_under_the_same_id():
    channel()
    notice()
    addressed()
    first = take()
    assert take(59) is None
    again = take(61)
    assert again.message_id == first.message_id
    assert again.items == first.items
    end(again, seconds=62)
    assert states() == [State.SENT]
    ends = Attempt.objects.order_by("id").values_list("ended_at", flat=True)
    assert list(ends) == [None, NOON + timedelta(seconds=62)]


def test_an_answer_that_comes_after_the_lease_counts_and_is_not_undone_by_the_second_try():
    channel()
    notice()
    addressed()
    slow, second = take(), take(61)
    end(slow, seconds=70)
    end(second, fault="HTTP 409", seconds=71)
    assert states() == [State.SENT]


def test_a_failing_channel_waits_longer_and_longer_and_others_do_not_wait_for_it():
    dead, alive = channel(name="dead"), channel(name="alive")
    notice()
    addressed()
    taken = {message.channel_id: message for message in (take(), take())}
    end(taken[dead], fault="HTTP 500")
    end(taken[alive])
    assert take(9) is None
    notice(at=NOON + timedelta(seconds=9))
    addressed(at=NOON + timedelta(seconds=9))
    assert take(9).channel_id == alive
    assert take(9) is None, "a new notice does not wake a channel that is left alone"
    again = take(10)
    assert again.channel_id == dead
    end(again, fault="HTTP 500", seconds=10)
    row = Channel.objects.get(pk=dead)
    assert (row.failures, row.next_at, row.failing_since) == (2, NOON + timedelta(seconds=30), NOON)


def test_one_message_that_always_fails_does_not_stand_before_the_others():
    channel()
    for title in range(2):
        notice(at=NOON + timedelta(microseconds=title))
    addressed(at=NOON + timedelta(seconds=1))
    poison = take(1)
    end(poison, fault="HTTP 422", seconds=1)
    other = take(11)
    assert other.message_id != poison.message_id
    end(other, seconds=11)
    assert states() == [State.SENT, State.WAITING]


def test_tries_have_an_end_which_the_audit_tells_and_the_channel_shows():
    name = channel()
    notice()
    addressed()
    seconds = 0
    for _try in range(MOST_TRIES):
        seconds += 3601
        end(take(seconds), fault="HTTP 500", seconds=seconds)
    assert take(seconds + 10_000) is None
    row = Delivery.objects.get()
    assert (row.state, row.tries, row.fault) == (State.FAILED, MOST_TRIES, "HTTP 500")
    assert Attempt.objects.count() == MOST_TRIES
    assert [entry.verb for entry in history(subject=f"channel:{name}")] == ["channel_made", "notice_given_up"]


def test_what_is_urgent_goes_before_what_waits_for_longer():
    channel()
    notice()
    addressed()
    end(take(), fault="HTTP 500")
    notice(at=NOON + timedelta(seconds=5), urgency=Urgency.URGENT, words=Words(ref="C-2"))
    addressed(at=NOON + timedelta(seconds=5))
    assert [item.words["ref"] for item in take(60).items] == ["C-2"]


def test_a_flood_is_one_message():
    channel()
    for number in range(7):
        notice(at=NOON + timedelta(microseconds=number))
    addressed(at=NOON + timedelta(seconds=1))
    message = take(1)
    assert len(message.items) == 7
    end(message, seconds=1)
    assert states() == [State.SENT] * 7


def test_a_digest_is_one_message_in_its_minutes():
    channel(digest_minutes=30)
    notice()
    addressed()
    end(take())
    for minute in (1, 2):
        notice(at=NOON + timedelta(minutes=minute))
        addressed(at=NOON + timedelta(minutes=minute))
    assert take(29 * 60) is None
    message = take(30 * 60)
    assert len(message.items) == 2


def test_a_paused_channel_keeps_what_comes(monkeypatch):
    name = channel()
    Channel.objects.filter(pk=name).update(paused_at=NOON)
    notice()
    addressed()
    assert take() is None
    Channel.objects.filter(pk=name).update(paused_at=None)
    assert take() is not None


def never(topic, key, person_id):
    return (topic, key, person_id) != ("case_opened", "1", "")


def test_what_nobody_wants_any_more_when_it_is_sent_is_dropped(settings):
    channel()
    notice(subject_key="thing:1")
    notice(subject_key="thing:2")
    addressed()
    settings.NOTICE_SUBJECTS = {"thing": f"{__name__}.never"}
    message = take()
    assert [item.subject_key for item in message.items] == ["thing:2"]
    assert states() == [State.DROPPED, State.WAITING]
    assert Delivery.objects.get(state=State.DROPPED).fault == "not_wanted"


def test_a_retry_asks_again_whether_it_is_wanted(settings):
    channel()
    notice()
    addressed()
    end(take(), fault="HTTP 500")
    settings.NOTICE_SUBJECTS = {"thing": f"{__name__}.never"}
    assert take(3600) is None
    assert states() == [State.DROPPED]


@pytest.mark.django_db(transaction=True)
def test_workers_beside_each_other_take_each_message_once():
    for number in range(6):
        channel(name=f"desk {number}")
    notice()
    addressed()
    taken, start = [], threading.Barrier(3)

    def work():
        start.wait()
        try:
            while (message := take()) is not None:
                taken.append(message)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(message.channel_id for message in taken) == sorted(
        Channel.objects.values_list("pk", flat=True)
    )
    assert Attempt.objects.count() == 6
