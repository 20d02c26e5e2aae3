"""What tests of waiting need: work in threads, a hub of their own loop, sockets and polls without a server."""

import asyncio
import json
from contextlib import asynccontextmanager

from django.db import connections

from console.agent_socket.socket import agent_socket
from escalations.consumers import hub, long_poll, reads, writes
from tests.escalations import doors

GRACE_S = 5


async def off_loop(work, *args, **more):
    """Run sync code that talks to the database in a thread, and leave no connection behind."""

    def run():
        try:
            return work(*args, **more)
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)


@asynccontextmanager
async def waiting_room():
    """Stop the hub and its threads when the test is over, whatever it left waiting."""
    try:
        yield hub
    finally:
        await hub.stop()
        await reads.close()
        await writes.close()


async def agent(name="trip-booker"):
    """Make an agent; give its key and the actor behind it."""
    key = await off_loop(doors.agent_key, name)
    principal = await off_loop(doors.principal, key)
    return key, principal.actor


def bearer(key):
    return [(b"authorization", f"Bearer {key}".encode())]


class Talk:
    """One connection to the agents' socket, from the client's side, without a server between."""

    def __init__(self, *, headers=(), subprotocols=(), path="/ws/agent/v1", extensions=None):
        path, _, query = path.partition("?")
        self.scope = {
            "type": "websocket",
            "path": path,
            "query_string": query.encode(),
            "headers": list(headers),
            "subprotocols": list(subprotocols),
            "extensions": extensions or {},
        }
        self._up, self._down = asyncio.Queue(), asyncio.Queue()
        self._serving = None

    async def connect(self):
        """Knock; give the first message that comes back."""
        self._serving = asyncio.create_task(agent_socket(self.scope, self._up.get, self._down.put))
        await self._up.put({"type": "websocket.connect"})
        return await self.heard()

    async def heard(self, within_s=GRACE_S):
        return await asyncio.wait_for(self._down.get(), within_s)

    async def tell(self, said):
        """Send a message, as text whatever it is."""
        text = said if isinstance(said, str) else json.dumps(said)
        await self._up.put({"type": "websocket.receive", "text": text})

    async def tell_bytes(self, said):
        await self._up.put({"type": "websocket.receive", "bytes": said})

    async def hang_up(self):
        await self._up.put({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(self._serving, GRACE_S)


@asynccontextmanager
async def connected(key):
    """Open a socket and read its hello."""
    talk = Talk(headers=bearer(key))
    assert (await talk.connect())["type"] == "websocket.accept"
    assert (await said(talk))["type"] == "hello"
    try:
        yield talk
    finally:
        await talk.hang_up()


async def said(talk):
    """Read the next message."""
    return json.loads((await talk.heard())["text"])


async def nothing(talk, for_s=0.2):
    """Say whether nothing comes for a while."""
    try:
        await talk.heard(for_s)
    except TimeoutError:
        return True
    return False


async def subscribed(talk, *case_ids):
    """Subscribe."""
    await talk.tell({"type": "subscribe", "escalation_ids": [str(each) for each in case_ids]})


async def polled(key, case_id, wait="5", query=""):
    """Ask for a decision and wait; give status and body."""
    sent = []
    asked = asyncio.Queue()
    await asked.put({"type": "http.request", "body": b"", "more_body": False})

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "headers": bearer(key) if key else [],
        "query_string": f"wait={wait}{query}".encode(),
        "path_params": {"escalation_id": str(case_id)},
    }
    await asyncio.wait_for(long_poll(scope, asked.get, send), GRACE_S * 2)
    body = b"".join(each.get("body", b"") for each in sent[1:])
    return sent[0]["status"], json.loads(body) if body else None


async def eventually(look, within_s=GRACE_S):
    """Wait until a look at the database gives something true; give it."""
    async with asyncio.timeout(within_s):
        while True:
            if found := await off_loop(look):
                return found
            await asyncio.sleep(0.01)
