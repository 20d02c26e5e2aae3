"""What the doors before Django share: a bounded body, a thread that parses, and the writer's life."""

import asyncio
import gc
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from console.kit.asgi import Receive
from console.kit.bodies import too_large
from telemetry.operations.writer import writer

ON_THE_LOOP = 32 * 1024  # bytes: what is longer is parsed in a thread, so that sockets keep breathing
GC_AFTER = 20_000  # allocations; Python's own 700 costs a fifth of parsing
parsers = ThreadPoolExecutor(1, "telemetry-parser")


async def whole_body(receive: Receive, limit: int) -> bytes | None:
    """Give the request's body, None where the client goes in the middle of it."""
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
    # Reports are thousands of short-lived objects: what was loaded at the start is not looked through again for them.
    gc.freeze()
    gc.set_threshold(GC_AFTER, 20, 20)
    writer.start()
    try:
        yield
    finally:
        await asyncio.to_thread(writer.stop)
