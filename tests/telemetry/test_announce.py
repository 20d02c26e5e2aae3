"""Hints: at once after silence, then at most so often, the last never lost; a dead layer costs nothing but the hint."""

import asyncio
import time

import pytest
from channels.layers import get_channel_layer
from django.db import transaction

from console.kit import hints
from telemetry import announce
from telemetry.announce import Coalesced
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from tests.telemetry.calls import NOON, body, call


@pytest.fixture
def sent(monkeypatch):
    told = []
    monkeypatch.setattr(announce, "send", lambda *hint: told.append(hint))
    return told


def test_many_words_in_a_moment_are_two_hints_and_the_second_is_the_newest(sent):
    coalesced = Coalesced("people.telemetry", "telemetry", "calls", every_s=0.05)
    for revision in range(1, 50):
        coalesced.tell(revision)
    assert [hint[-1] for hint in sent] == [1]
    until = time.monotonic() + 5
    while len(sent) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert [hint[-1] for hint in sent] == [1, 49]


def test_a_layer_that_is_down_loses_the_hint_and_nothing_else(monkeypatch):
    class Down:
        async def group_send(self, *_):
            raise ConnectionError("no redis")

    monkeypatch.setattr(hints, "get_channel_layer", Down)
    announce.send("people.breakers", "breakers", "psp", 1)


@pytest.mark.django_db(transaction=True)
def test_stored_calls_are_told_of_after_the_commit_and_refused_ones_are_not(monkeypatch):
    told = []
    monkeypatch.setattr(announce._calls, "tell", told.append)
    store([submission(body({"x": 1}), agent_id=1, key_id=1, at=NOON, knowledge=Knowledge())])
    assert told == []
    with transaction.atomic():
        announce.calls_on_commit(at=NOON)
        assert told == []
    assert len(told) == 1
    store([submission(body(call()), agent_id=1, key_id=1, at=NOON, knowledge=Knowledge())])
    assert told == [int(NOON.timestamp() * 1000)] * 2


async def test_a_hint_says_what_to_look_at_again():
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("people.breakers", channel)
    await asyncio.to_thread(announce.send, "people.breakers", "breakers", "psp", 7)
    assert await layer.receive(channel) == {"type": "hint", "topic": "breakers", "id": "psp", "revision": 7}
