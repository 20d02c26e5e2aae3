"""An answer leaves in one packet: uvicorn writes its head and its body apart.

Each write is a call of the system, a packet, and a waking of whoever waits for it: a tenth of what a small report costs.
"""

import asyncio
from typing import Any, cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MOST_WAITING = 100  # requests of one connection


class Together:
    """A transport that holds what is written until the next write, or the loop's next turn, and sends both at once."""

    __slots__ = ("_held", "_loop", "bare")

    def __init__(self, bare: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.bare = bare
        self._loop = loop
        self._held: bytes | None = None

    def write(self, data: bytes) -> None:
        """Send with what was held, or hold."""
        if self.bare.is_closing():  # whoever asked has gone
            self._held = None
        elif self._held is None:
            self._held = data
            self._loop.call_soon(self.flush)
        else:
            held, self._held = self._held, None
            self.bare.writelines((held, data))

    def flush(self) -> None:
        """Send what is held: nothing came after it."""
        held, self._held = self._held, None
        if held is not None and not self.bare.is_closing():
            self.bare.write(held)

    def close(self) -> None:
        """Send what is held, then close."""
        self.flush()
        self.bare.close()

    def __getattr__(self, name: str) -> Any:
        """Be the transport in everything else."""
        return getattr(self.bare, name)


class TooManyWaiting(Exception):
    """More requests came down a connection than one that reads its answers would send; the parser ends it."""


class OnePacketProtocol(HttpToolsProtocol):
    """uvicorn's HTTP on such a transport. A connection that becomes a websocket goes on without it."""

    _answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Put it around the connection."""
        super().connection_made(cast("asyncio.Transport", Together(transport, self.loop)))

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the request that is being answered: uvicorn tells only the one that came last."""
        super().connection_lost(exc)
        self.pipeline.clear()
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()

    def on_headers_complete(self) -> None:
        """Take no more requests than a browser or a proxy would send before it reads an answer."""
        if len(self.pipeline) >= MOST_WAITING:
            raise TooManyWaiting
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request, and read more only when none waits: they would be held without bound."""
        super().on_response_complete()
        if self.pipeline:
            self.flow.pause_reading()

    def handle_websocket_upgrade(self) -> None:
        """Take it off; where answers are still owed it would have them among its messages, so there is none."""
        together = cast("Together", self.transport)
        if self.pipeline or (self._answering is not None and not self._answering.response_complete):
            together.close()
            return
        together.flush()
        self.transport = together.bare
        super().handle_websocket_upgrade()
