"""What the doors before Django share: a bounded body, a thread that parses, and the writer's life."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from console.kit.asgi import Receive
from console.kit.bodies import TooSlow, too_large
from telemetry.ingest.lean import give_back, keep_lean
from telemetry.operations.writer import writer

ON_THE_LOOP = 32 * 1024  # bytes: what is longer is parsed in a thread, so that sockets keep breathing
BODY_WITHIN_S = 60.0  # as long as Django's door waits for one
parsers = ThreadPoolExecutor(1, "telemetry-parser")


async def whole_body(receive: Receive, limit: int) -> bytes | None:
    """Give the request's body, None where the client goes in the middle of it. Raises TooLarge and TooSlow."""
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            return await _whole(receive, limit)
    except TimeoutError:
        raise TooSlow("The request body did not arrive in time.") from None


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
