"""An answer leaves in one packet: uvicorn writes its head and its body apart.

Each write is a call of the system, a packet, and a waking of whoever waits for it: a tenth of what a small report costs.
"""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Together:
    """A transport that holds what is written until the next write, or the loop's next turn, and sends both at once."""

    __slots__ = ("_held", "_loop", "bare")

    def __init__(self, bare: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.bare = bare
        self._loop = loop
        self._held: bytes | None = None

    def write(self, data: bytes) -> None:
        """Send with what was held, or hold."""
        if self._held is None:
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


class OnePacketProtocol(HttpToolsProtocol):
    """uvicorn's HTTP on such a transport. A connection that becomes a websocket goes on without it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Put it around the connection."""
        super().connection_made(cast("asyncio.Transport", Together(transport, self.loop)))

    def handle_websocket_upgrade(self) -> None:
        """Take it off."""
        together = cast("Together", self.transport)
        together.flush()
        self.transport = together.bare
        super().handle_websocket_upgrade()
