"""The server itself: uvicorn with our settings, and what is to happen when it is ready and when it ends."""

import asyncio
import os
from collections.abc import Callable
from socket import socket

import uvicorn
from django.conf import settings

from console.serving.one_packet import OnePacketProtocol

GRACE_S = 3  # long polls and sockets are cut after it; whoever waits asks again
APPLICATION = "console.asgi:application"


def nothing() -> None:
    """Do nothing."""


class Server(uvicorn.Server):
    """Tells when it answers, and lets the caller stop its own children before the last connections are cut."""

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        ready: Callable[[], None] = nothing,
        ending: Callable[[], None] = nothing,
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Say so and go on answering until the caller is done, then end."""
        await asyncio.to_thread(self._ending)
        await super().shutdown(sockets)


def config(host: str, port: int, *, workers: int = 1) -> uvicorn.Config:
    """Give uvicorn's settings for this house."""
    return uvicorn.Config(
        APPLICATION,
        host=host,
        port=port,
        workers=workers,
        log_config=None,  # the logging of settings.py
        access_log=False,
        server_header=False,
        lifespan="on",
        http=OnePacketProtocol,
        ws="websockets-sansio",  # a fifth less memory for each waiting agent
        ws_max_size=settings.MAX_BODY_BYTES,
        timeout_graceful_shutdown=GRACE_S,
        backlog=2048,
    )


def why_not_workers(asked: int) -> str | None:
    """Refuse several processes where one process is the whole console; give the sentence, or None."""
    given = os.environ.get("WEB_CONCURRENCY", "")
    wanted = max(asked, int(given) if given.isdigit() else 1)
    if wanted <= 1 or not settings.EMBEDDED:
        return None
    return (
        f"{wanted} processes need DATABASE_URL and REDIS_URL: without them one process is the whole console, "
        "with its queue and messages in its own memory."
    )
