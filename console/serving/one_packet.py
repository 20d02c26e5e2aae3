"""An answer leaves in one packet: uvicorn writes its head and its body apart.

Each write is a call of the system, a packet, and a waking of whoever waits for it: a tenth of what a small report costs.
"""

import asyncio
from collections.abc import Sized
from typing import Any, cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

# Requests of one connection behind the one that is answered; browsers and proxies send few ahead.
MOST_WAITING = 100


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


class OneChunkAhead(FlowControl):
    """Reads nothing more while requests wait: uvicorn would read on after every answer, and hold what came."""

    def __init__(self, transport: asyncio.Transport, waiting: Sized) -> None:
        super().__init__(transport)
        self._waiting = waiting

    def resume_reading(self) -> None:
        """Read on where none waits. Only the last to wait may lack some of its body, and its turn comes first."""
        if not self._waiting:
            super().resume_reading()


class TooManyWaiting(Exception):
    """One chunk may hold thousands of requests, and the parser cannot stop in the middle of it but by an error."""


class OnePacketProtocol(HttpToolsProtocol):
    """uvicorn's HTTP on such a transport. A connection that becomes a websocket goes on without it."""

    ending = False  # what still comes is dropped
    answered: RequestResponseCycle | None = None  # uvicorn's own `cycle` is the last that came

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Put it around the connection."""
        together = cast("asyncio.Transport", Together(transport, self.loop))
        super().connection_made(together)
        self.flow = OneChunkAhead(together, self.pipeline)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the request that is answered too: uvicorn tells the last that came, which may wait behind it."""
        self.pipeline.clear()
        if self.answered is not None and not self.answered.response_complete:
            self.answered.disconnected = True
            self.answered.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless the connection ends with what it has asked."""
        if not self.ending:
            super().data_received(data)

    def on_headers_complete(self) -> None:
        """Take the request, unless too many wait."""
        if len(self.pipeline) >= MOST_WAITING:
            raise TooManyWaiting
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse; where answers are owed it would be taken for the first of them, so those go out and no more."""
        if self._owes() and not self.cycle.more_body:
            self._end_after_answers()
        else:
            super().send_400_response(msg)

    def handle_websocket_upgrade(self) -> None:
        """Take it off. Answers that are owed would go out among the websocket's messages, so then there is none."""
        if self._owes():
            self._end_after_answers()
            return
        together = cast("Together", self.transport)
        together.flush()
        self.transport = together.bare
        super().handle_websocket_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self.answered = cycle
        super()._start_asgi_task(cycle, app)

    def _owes(self) -> bool:
        return self.answered is not None and not self.cycle.response_complete

    def _end_after_answers(self) -> None:
        self.ending = True
        self.cycle.keep_alive = False  # its answer says so, and closes
