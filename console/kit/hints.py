"""Hints to groups from any thread: fire and forget, over the server's own loop where there is one.

A hint may be lost and the rows are the truth, so nobody waits for one to be sent. On the server's loop the channel
layer keeps its connection; a thread without a server (a Celery worker, a command) opens one for each hint.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

log = logging.getLogger(__name__)
_loop: asyncio.AbstractEventLoop | None = None
_sending: set["asyncio.Task[None]"] = set()


@asynccontextmanager
async def over_this_loop() -> AsyncIterator[None]:
    """Let hints of every thread of this process leave over the running loop, as long as it serves."""
    global _loop  # noqa: PLW0603  # one server loop per process
    _loop = asyncio.get_running_loop()
    try:
        yield
    finally:
        _loop = None
        await asyncio.gather(*tuple(_sending))


def send(group: str, *messages: Mapping[str, object]) -> None:
    """Send hints to a group, in order. A layer that is down costs the hints, nothing else."""
    loop = _loop
    if loop is not None and loop.is_running():
        loop.call_soon_threadsafe(_begin, group, messages)
        return
    async_to_sync(_send)(group, messages)


def _begin(group: str, messages: tuple[Mapping[str, object], ...]) -> None:
    task = asyncio.ensure_future(_send(group, messages))
    _sending.add(task)
    task.add_done_callback(_sending.discard)


async def _send(group: str, messages: tuple[Mapping[str, object], ...]) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        for message in messages:
            await layer.group_send(group, dict(message))
    except Exception:  # whatever the layer's client raises: the rows are stored, and are looked at again
        log.warning("a hint to %s was lost", group, exc_info=True)
