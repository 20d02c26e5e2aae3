"""The in-memory channel layer, bound to the server's loop.

Channels' own keeps its queues in asyncio objects: a message put by another thread (a Django view, a Celery task)
does not wake the loop that waits for it, and arrives when something else happens to. Here every send runs on the
loop that owns the queues.
"""

import asyncio
from collections.abc import Callable, Coroutine

from channels.layers import InMemoryChannelLayer


class LoopBoundInMemoryChannelLayer(InMemoryChannelLayer):
    """Sends on the bound loop, whoever sends; unbound, it is Channels' own."""

    owner: asyncio.AbstractEventLoop | None = None

    def bind(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Make a loop the owner of every queue; None sets it free."""
        self.owner = loop

    async def send(self, channel: str, message: dict[str, object]) -> None:
        """Put a message on one channel."""
        await self._on_owner(lambda: super(LoopBoundInMemoryChannelLayer, self).send(channel, message))

    async def group_send(self, group: str, message: dict[str, object]) -> None:
        """Put a message on every channel of a group."""
        await self._on_owner(lambda: super(LoopBoundInMemoryChannelLayer, self).group_send(group, message))

    async def _on_owner(self, sending: Callable[[], Coroutine[object, object, None]]) -> None:
        owner = self.owner
        if owner is None or owner.is_closed() or owner is asyncio.get_running_loop():
            await sending()
            return
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(sending(), owner))
