import asyncio

import pytest
from channels.layers import get_channel_layer

from console.kit import hints


@pytest.fixture
async def listening():
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("people.tests", channel)

    async def next_one():
        return await asyncio.wait_for(layer.receive(channel), 5)

    yield next_one
    await layer.group_discard("people.tests", channel)


async def test_a_hint_of_another_thread_leaves_over_the_servers_loop_in_order(listening):
    async with hints.over_this_loop():
        await asyncio.to_thread(
            hints.send, "people.tests", {"type": "hint", "n": 1}, {"type": "hint", "n": 2}
        )
        assert [(await listening())["n"], (await listening())["n"]] == [1, 2]


async def test_without_a_server_a_thread_sends_by_itself(listening):
    await asyncio.to_thread(hints.send, "people.tests", {"type": "hint", "n": 3})
    assert (await listening())["n"] == 3


@pytest.mark.parametrize("served", [True, False])
async def test_a_layer_that_is_down_costs_the_hint_and_nothing_else(monkeypatch, served):
    async def down(*_):
        raise ConnectionError("no route")

    monkeypatch.setattr(get_channel_layer(), "group_send", down)
    if served:
        async with hints.over_this_loop():
            await asyncio.to_thread(hints.send, "people.tests", {"type": "hint"})
    else:
        await asyncio.to_thread(hints.send, "people.tests", {"type": "hint"})
