import asyncio
import threading

import pytest
from asgiref.sync import async_to_sync

from console.embedded.layer import LoopBoundInMemoryChannelLayer


@pytest.fixture
def layer():
    return LoopBoundInMemoryChannelLayer(capacity=5)


def in_another_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread


async def test_a_message_of_another_thread_wakes_the_loop_that_waits_for_it(layer):
    """Nothing else happens on this loop while it waits: only the message itself can wake it."""
    layer.bind(asyncio.get_running_loop())
    await layer.group_add("people", "here")
    thread = in_another_thread(lambda: async_to_sync(layer.group_send)("people", {"type": "hint", "id": 1}))
    assert await layer.receive("here") == {"type": "hint", "id": 1}
    await asyncio.to_thread(thread.join)


async def test_the_queues_are_touched_on_the_owners_thread_alone(layer, monkeypatch):
    layer.bind(asyncio.get_running_loop())
    put = []
    clean = layer._clean_expired
    monkeypatch.setattr(layer, "_clean_expired", lambda: (put.append(threading.get_ident()), clean()))
    await asyncio.to_thread(lambda: async_to_sync(layer.group_send)("people", {"type": "hint"}))
    assert put == [threading.get_ident()]


async def test_a_full_channel_drops_for_its_reader_alone_and_raises_for_nobody(layer):
    layer.bind(asyncio.get_running_loop())
    await layer.group_add("people", "slow")
    await layer.group_add("people", "quick")
    for number in range(9):
        await layer.group_send("people", {"type": "hint", "id": number})
        assert (await layer.receive("quick"))["id"] == number
    assert [(await layer.receive("slow"))["id"] for _ in range(5)] == [0, 1, 2, 3, 4]


async def test_unbound_it_is_channels_own(layer):
    await layer.send("here", {"type": "hint"})
    assert await layer.receive("here") == {"type": "hint"}


async def test_a_closed_owner_is_nobodys_owner(layer):
    loop = asyncio.new_event_loop()
    layer.bind(loop)
    loop.close()
    await layer.send("here", {"type": "hint"})
    assert await layer.receive("here") == {"type": "hint"}
