"""Breaker commands on their way to every socket of an agent: read once, however many sockets there are."""

import asyncio
from collections import OrderedDict
from functools import partial
from typing import Any

from escalations.consumers import reads
from telemetry.queries import command_numbered

COMMANDS = "breaker_commands"  # the topic of the hints about them
REMEMBERED = 16
_read: OrderedDict[int, "asyncio.Task[dict[str, Any]]"] = OrderedDict()


async def told(number: int) -> dict[str, Any]:
    """Give the message for a command; a command never changes, so the first reading serves all."""
    task = _read.get(number)
    if task is None or task.get_loop() is not asyncio.get_running_loop() or _failed(task):
        task = _read[number] = asyncio.get_running_loop().create_task(_message(number))
        while len(_read) > REMEMBERED:
            _read.popitem(last=False)
    return await asyncio.shield(task)


async def _message(number: int) -> dict[str, Any]:
    command = await reads.run(partial(command_numbered, number=number))
    return {"type": "breaker_command", **command.model_dump(mode="json")}


def _failed(task: "asyncio.Task[dict[str, Any]]") -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
