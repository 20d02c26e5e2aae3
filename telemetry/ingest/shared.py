"""What the doors before Django share: a bounded body, a thread that parses, and the writer's life."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from console.kit.asgi import Receive
from console.kit.bodies import BODY_WITHIN_S, too_large, too_slow
from telemetry.ingest.lean import give_back, keep_lean
from telemetry.operations.writer import writer

ON_THE_LOOP = 32 * 1024  # bytes: what is longer is parsed in a thread, so that sockets keep breathing
parsers = ThreadPoolExecutor(1, "telemetry-parser")


async def whole_body(receive: Receive, limit: int) -> bytes | None:
    """Give the request's body, None where the client goes in the middle of it. Raises TooLarge and TooSlow."""
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            return await _whole(receive, limit)
    except TimeoutError:
        raise too_slow() from None


async def _whole(receive: Receive, limit: int) -> bytes | None:
    parts: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        length += len(part)
        if length > limit:
            raise too_large(limit)
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)


@asynccontextmanager
async def writing() -> AsyncIterator[None]:
    """Run the writer as long as the server; at the end what waits is written first."""
    keep_lean()
    writer.start()
    giving_back = asyncio.create_task(give_back())
    try:
        yield
    finally:
        giving_back.cancel()
        await asyncio.to_thread(writer.stop)
