"""One agent's socket as a plain ASGI application: what it subscribed to is all that it remembers."""

import asyncio
import logging
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import orjson

from console.agent_socket import commands
from console.agent_socket.commands import COMMANDS
from console.agent_socket.keys import PROTOCOL, key_shown
from console.agent_socket.messages import Heard, hear
from console.kit.actor import Actor
from console.kit.asgi import Receive, Scope, Send
from console.kit.http import NotSignedIn, headers_of
from console.kit.refusal import Refused
from escalations import contract
from escalations.consumers import hub
from escalations.consumers.long_poll import KEYS
from escalations.queries import Waiting
from escalations.queries.wire import spelled
from telemetry.queries.keys import aprincipal_of, forget_keys

log = logging.getLogger(__name__)

SIGNED_OUT = 4401
SLOW = 4408
SEND_WITHIN_S = 20.0
HANG_UP_S = 0.02  # uvicorn calls it an error when we return before the refused connection is down


class SignedOut(Exception):
    """The key was revoked while its socket was open."""


class AgentSocket:
    """One connection. Sends from the hub and answers to messages go out in order, one at a time."""

    __slots__ = ("_going", "_key", "_lock", "_send", "agent", "agent_id", "ids", "sent")

    def __init__(self, key: str, agent: Actor, send: Send) -> None:
        self._key = key
        self.agent = agent
        self.agent_id = agent.id
        self.ids: set[UUID] = set()
        self.sent: dict[UUID, UUID] = {}
        self._send = send
        self._lock = asyncio.Lock()
        self._going: set[asyncio.Task[None]] = set()

    def take(self, waiting: Waiting) -> None:
        """Send a decision; when it has left, the row will say so."""
        self._go(self._decision(waiting))

    def hint(self, message: dict[str, Any]) -> None:
        """Send what else there is for this agent; where a key of its was revoked, show this one again."""
        if message.get("topic") == COMMANDS:
            self._go(self._command(int(message["revision"])))
        elif message.get("topic") == KEYS:
            forget_keys()
            self._go(self.check_key())

    async def tell(self, message: dict[str, Any]) -> None:
        """Send one message; a peer that does not read is given up."""
        async with self._lock, asyncio.timeout(SEND_WITHIN_S):
            await self._send({"type": "websocket.send", "text": orjson.dumps(message).decode()})

    async def check_key(self) -> None:
        """Raise SignedOut where the key was revoked since the last time: nothing goes out or in by it any more."""
        if await aprincipal_of(f"Bearer {self._key}") is None:
            raise SignedOut

    async def _decision(self, waiting: Waiting) -> None:
        await self.check_key()
        await self.tell({"type": "decision", **spelled(waiting.decision)})
        if waiting.unsent:
            hub.sent(waiting.decision.decision_id)

    async def _command(self, number: int) -> None:
        await self.check_key()
        await self.tell(await commands.told(number))

    def _go(self, sending: Any) -> None:
        task = asyncio.get_running_loop().create_task(self._carefully(sending))
        self._going.add(task)
        task.add_done_callback(self._going.discard)

    async def _carefully(self, sending: Any) -> None:
        try:
            await sending
        except SignedOut:
            await self._send({"type": "websocket.close", "code": SIGNED_OUT})
        except TimeoutError:
            await self._send({"type": "websocket.close", "code": SLOW})
        except Exception:  # the server's words for a peer that has gone; the next connect replays
            log.debug("an agent's socket broke while sending", exc_info=True)

    async def close(self) -> None:
        """Stop sending."""
        for task in tuple(self._going):
            task.cancel()


async def agent_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one connection until it ends."""
    await receive()
    key = key_shown(scope)
    principal = await aprincipal_of(f"Bearer {key}") if key else None
    if principal is None:
        await _turn_away(scope, send)
        return
    await send(
        {
            "type": "websocket.accept",
            "subprotocol": PROTOCOL if PROTOCOL in scope.get("subprotocols", ()) else None,
        }
    )
    socket = AgentSocket(key, principal.actor, send)
    await hub.join(socket)
    try:
        hello = contract.Hello(server_time=datetime.now(UTC))
        await socket.tell(hello.model_dump(mode="json"))
        await _serve(socket, receive)
    except SignedOut:
        await send({"type": "websocket.close", "code": SIGNED_OUT})
    finally:
        await hub.leave(socket)
        await socket.close()


async def _serve(socket: AgentSocket, receive: Receive) -> None:
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        await socket.check_key()
        answer = await hear(socket, Heard(text=message.get("text"), bytes=message.get("bytes")))
        if answer is not None:
            await socket.tell(answer)


async def _turn_away(scope: Scope, send: Send) -> None:
    """Refuse before the socket opens: as HTTP where the server can say so, by closing otherwise."""
    refusal: Refused = NotSignedIn("Show an agent's key in the Authorization header: `Bearer sb_…`.")
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": SIGNED_OUT})
        return
    lines = {"content-type": "application/json", **headers_of(refusal)}
    headers = [(name.lower().encode(), value.encode()) for name, value in lines.items()]
    await send({"type": "websocket.http.response.start", "status": 401, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": orjson.dumps(refusal.document())})
    await asyncio.sleep(HANG_UP_S)
