"""The sweeps end to end: from a row in the outbox to a server on this machine."""

import ipaddress
import json
import threading

import pytest
from django.utils.timezone import now

from console.kit import under_way
from console.notices import operations, tasks
from console.notices.models import Attempt, Channel, Delivery, Notice
from console.notices.vocabulary import State
from tests.console.notices.rows import actor, channel, notice
from tests.receivers import HttpReceiver

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here(settings):
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]


def test_a_notice_is_addressed_sent_and_done():
    with HttpReceiver() as receiver:
        channel("slack", receiver.url)
        notice(at=now())
        tasks.deliver()
        tasks.deliver()
    (got,) = receiver.got
    assert "C-1" in json.loads(got.body)["text"]
    row = Delivery.objects.get()
    assert (row.state, row.tries, str(row.message_id)) == (State.SENT, 1, got.headers["webhook-id"])


def test_a_server_that_does_not_answer_holds_up_nobody_elses_message():
    with HttpReceiver() as stuck, HttpReceiver() as fine:
        stuck.hold.clear()
        channel("slack", stuck.url)
        channel("slack", fine.url)
        notice(at=now())
        arrived_meanwhile = []

        def let_go_when_the_other_has_its_message():
            arrived_meanwhile.append(fine.came.wait(25))
            stuck.hold.set()

        watching = threading.Thread(target=let_go_when_the_other_has_its_message)
        watching.start()
        tasks.deliver()
        watching.join()
    assert arrived_meanwhile == [True]
    assert {row.state for row in Delivery.objects.all()} == {State.SENT}


def test_a_server_that_answers_too_late_is_left_alone_and_tried_again(monkeypatch):
    monkeypatch.setattr(under_way, "PATIENCE_S", 0.3)
    with HttpReceiver() as stuck:
        stuck.hold.clear()
        channel("slack", stuck.url)
        notice(at=now())
        tasks.deliver()
        row = Delivery.objects.get()
        stuck.hold.set()
    assert (row.state, row.fault) == (State.WAITING, "No answer within 0 s.")
    assert Channel.objects.get().next_at is not None


def test_a_crash_between_taking_and_answering_sends_again_under_the_same_id(monkeypatch):
    """At least once: the receiver sees the same id twice and can tell."""
    with HttpReceiver() as receiver:
        channel("slack", receiver.url)
        notice(at=now())
        monkeypatch.setattr(operations, "sent", lambda **_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            tasks.deliver()
        monkeypatch.undo()
        tasks.deliver()
        assert len(receiver.got) == 1, "the lease holds"
        Channel.objects.update(busy_until=now())  # the lease is over
        tasks.deliver()
    assert len({got.headers["webhook-id"] for got in receiver.got}) == 1
    assert len(receiver.got) == 2
    assert Delivery.objects.get().state == State.SENT
    assert [row.ended_at is None for row in Attempt.objects.order_by("id")] == [True, False]


def test_a_fault_of_ours_in_one_message_is_told_and_does_not_stop_the_rest():
    with HttpReceiver() as receiver:
        channel("slack", receiver.url)
        notice(at=now())
        operations.address_some(at=now())
        Notice.objects.update(words=[])  # no sentence can be made of this
        tasks.deliver()
    row = Delivery.objects.get()
    assert (row.state, receiver.got) == (State.WAITING, [])
    assert "AttributeError" in row.fault


def test_browsers_are_offered_theirs(operator):
    channel("browser", "", by=actor(operator))
    notice(at=now())
    tasks.deliver()
    assert Delivery.objects.get().state == State.OFFERED


def test_the_log_is_forgotten_by_a_sweep_of_its_own(settings):
    notice(at=now().replace(year=2020))
    operations.address_some(at=now())
    tasks.forget()
    assert not Notice.objects.exists()
