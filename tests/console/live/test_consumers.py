"""The browser's socket: hints to whoever is signed in, nothing to strangers, and nothing is decided by it."""

import json
from uuid import UUID

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser

from console.live.consumers import GROUPS, MOST_LOOKS, SIGNED_OUT, Hints


class Person:
    is_authenticated = True
    pk = 7


class Browser(ApplicationCommunicator):
    """A page's socket, without a server."""

    def __init__(self, user):
        super().__init__(Hints.as_asgi(), {"type": "websocket", "path": "/ws/hints", "user": user})

    async def open(self):
        await self.send_input({"type": "websocket.connect"})
        assert (await self.receive_output())["type"] == "websocket.accept"

    async def say(self, text):
        await self.send_input({"type": "websocket.receive", "text": text})

    async def hear(self):
        return json.loads((await self.receive_output())["text"])

    async def close(self):
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait()


async def connected(user):
    browser = Browser(user)
    await browser.open()
    return browser


@pytest.mark.parametrize("user", [None, AnonymousUser()])
async def test_strangers_are_told_that_they_are_signed_out(user):
    browser = await connected(user)
    assert await browser.receive_output() == {"type": "websocket.close", "code": SIGNED_OUT}


@pytest.mark.parametrize("group", [*GROUPS, "person.7"])
async def test_a_hint_reaches_the_page_with_ids_only(group):
    browser = await connected(Person())
    hint = {"type": "hint", "topic": group.split(".")[1], "id": "4", "revision": 7}
    await get_channel_layer().group_send(group, hint)
    assert await browser.hear() == hint
    await browser.close()


@pytest.mark.parametrize(
    "said",
    [
        "{",
        "[]",
        "null",
        "",
        "7",
        "NaN",
        "[" * 100_000,
        '{"type": "decide"}',
        "\ud800".encode("utf-8", "replace").decode(),
    ],
)
async def test_whatever_else_a_browser_says_is_ignored(said):
    browser = await connected(Person())
    await browser.say(said)
    await browser.say('{"type": "ping"}')
    assert await browser.hear() == {"type": "pong"}
    await browser.close()


async def test_what_is_no_text_is_ignored():
    browser = await connected(Person())
    await browser.send_input({"type": "websocket.receive", "bytes": b"\xff\x00"})
    await browser.say('{"type": "ping"}')
    assert await browser.hear() == {"type": "pong"}
    await browser.close()


async def test_a_page_that_looks_without_end_is_heard_some_times_a_second(monkeypatch):
    now = 100.0
    monkeypatch.setattr("console.live.consumers.monotonic", lambda: now)
    looked = []

    async def look(_, case):
        looked.append(case)

    monkeypatch.setattr("console.live.presence.Looking.look", look)
    browser = await connected(Person())
    case = str(UUID(int=7))
    for _ in range(MOST_LOOKS + 5):
        await browser.say(json.dumps({"type": "look", "id": case}))
    await browser.say('{"type": "ping"}')
    assert await browser.hear() == {"type": "pong"}
    assert looked == [case] * MOST_LOOKS
    now = 101.0
    await browser.say('{"type": "look", "id": null}')
    await browser.say('{"type": "ping"}')
    assert await browser.hear() == {"type": "pong"}
    assert looked[MOST_LOOKS:] == [None]
    await browser.close()
