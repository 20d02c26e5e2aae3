"""`GET /api/v1/breakers/commands?wait=`: a plain ASGI function that waits without holding a thread."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import orjson
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer

from console.kit.asgi import Receive, Scope, Send, answer
from console.kit.http import STATUS, headers_of
from console.kit.refusal import Refused
from telemetry import contract
from telemetry.announce import agent_group
from telemetry.contract.asked import command_number, instance_name, seconds
from telemetry.queries import commands_for
from telemetry.queries.keys import aprincipal_of, stranger

COMMANDS = "breaker_commands"  # the topic of the hints that matter here


def waits(scope: Scope) -> bool:
    """Say whether a request asks to wait; the others are for Django."""
    return bool(parse_qs(scope["query_string"].decode("latin-1")).get("wait"))


async def commands_poll(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer as soon as there is a command the instance does not know, else with none when the time is over."""
    try:
        found = await _wait(scope, receive)
    except Refused as refusal:
        body = orjson.dumps(refusal.document())
        await answer(send, STATUS[refusal.kind], body, headers=headers_of(refusal))
        return
    await answer(send, 200, orjson.dumps(found.model_dump(mode="json")))


async def _wait(scope: Scope, receive: Receive) -> contract.BreakerCommands:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    principal = await aprincipal_of(headers.get(b"authorization", ""))
    if principal is None:
        raise stranger(headers.get(b"authorization", ""))
    asked = {name: values[0] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
    instance, after = instance_name(asked.get("instance", "")), command_number(asked.get("after", "0"))
    wanted = seconds(asked.get("wait", ""))
    look = partial(commands_for, agent_id=principal.agent_id, instance=instance, after=after)
    layer: Any = get_channel_layer()
    channel = await layer.new_channel("commands.")
    gone = asyncio.create_task(_gone(receive))
    await layer.group_add(agent_group(principal.agent_id), channel)
    try:
        return await _until(layer, channel, look, wanted=wanted, gone=gone)
    finally:
        gone.cancel()
        await layer.group_discard(agent_group(principal.agent_id), channel)


async def _until(
    layer: Any, channel: str, look: Any, *, wanted: float, gone: "asyncio.Task[None]"
) -> contract.BreakerCommands:
    loop = asyncio.get_running_loop()
    until = loop.time() + wanted
    while True:
        found: contract.BreakerCommands = await database_sync_to_async(look)(at=datetime.now(UTC))
        if found.commands or gone.done() or not await _stirred(layer, channel, until, gone):
            return found


async def _stirred(layer: Any, channel: str, until: float, gone: "asyncio.Task[None]") -> bool:
    """Wait for a hint about commands; give whether one came in time."""
    loop = asyncio.get_running_loop()
    while (left := until - loop.time()) > 0 and not gone.done():
        hint = asyncio.create_task(layer.receive(channel))
        await asyncio.wait({hint, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if hint.done() and hint.result().get("topic") == COMMANDS:
            return True
        hint.cancel()
        with suppress(asyncio.CancelledError):
            await hint
    return False


async def _gone(receive: Receive) -> None:
    """Return when the client has gone: nobody is left to be answered."""
    while (await receive())["type"] != "http.disconnect":
        continue
