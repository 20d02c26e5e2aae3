"""Two questions a supervisor asks: is the process alive (`/healthz`), and can it do its work (`/readyz`)."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import get_resolver

from console.kit.asgi import Receive, Scope, Send, answer

CHECK_WITHIN_S = 3.0
NO_STORE = {"cache-control": "no-store"}
Check = Callable[[], Awaitable[str | None]]


async def healthz(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001  # ASGI's signature
    """The loop turns."""
    await answer(send, 200, b'{"status":"ok"}', headers=NO_STORE)


class Ready:
    """Asks every part that a request may need; 503 names the ones that do not answer."""

    def __init__(self, checks: dict[str, Check]) -> None:
        self._checks = checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's signature
        """Answer with every part and what is wrong with it."""
        found = dict(zip(self._checks, await asyncio.gather(*map(_ask, self._checks.values())), strict=True))
        fine = not any(found.values())
        body = {
            "status": "ready" if fine else "not ready",
            "checks": {k: v or "ok" for k, v in found.items()},
        }
        await answer(send, 200 if fine else 503, json.dumps(body).encode(), headers=NO_STORE)


async def database() -> str | None:
    """The database answers and its tables are the ones this code expects."""
    return await sync_to_async(_database)()


def _database() -> str | None:
    executor = MigrationExecutor(connection)
    ahead = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(ahead)} migrations are not applied" if ahead else None


async def messages() -> str | None:
    """The channel layer takes a message and gives it back."""
    layer: Any = get_channel_layer()  # the stubs know the base class only
    channel = await layer.new_channel("ready.")
    await layer.send(channel, {"type": "ready"})
    await layer.receive(channel)
    return None


async def addresses() -> str | None:
    """Every page and API view can be loaded."""
    await asyncio.to_thread(load_addresses)
    return None


def load_addresses() -> None:
    """Load the URL table and with it every view; Django itself would do it at the first request."""
    _ = get_resolver().url_patterns


async def _ask(check: Check) -> str | None:
    try:
        return await asyncio.wait_for(check(), CHECK_WITHIN_S)
    except Exception as exc:  # noqa: BLE001  # whatever is wrong with a part is the answer
        return f"{type(exc).__name__}: {exc}" if str(exc) else type(exc).__name__
