"""Anthropic tool use: the tools as the API wants them, and the results of one message's calls.

import switchboard.adapters.anthropic as sba

reply = client.messages.create(tools=sba.tools(toolbox), …)
messages.append({"role": "user", "content": await sba.results(session, reply.content)})
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from switchboard.result import Result
from switchboard.session import Session
from switchboard.toolbox import Toolbox


def tools(toolbox: Toolbox) -> list[dict[str, Any]]:
    """Name, description and `input_schema` of every tool."""
    return [
        {"name": each["name"], "description": each["description"], "input_schema": each["parameters"]}
        for each in toolbox.schemas()
    ]


async def results(
    session: Session, content: Iterable[Any], *, reasoning: str | None = None
) -> list[dict[str, Any]]:
    """One `tool_result` for every `tool_use` block, in their order, all for one user message.

    The calls run at once, as one round, named by their ids; a text block before them is the turn's reasoning.
    """
    blocks = list(content)
    uses = [block for block in blocks if _get(block, "type") == "tool_use"]
    said = reasoning or " ".join(
        str(_get(block, "text")) for block in blocks if _get(block, "type") == "text"
    )
    with session.turn(reasoning=said or None):
        calls = (session.call(_get(use, "name"), _get(use, "input"), call_id=_get(use, "id")) for use in uses)
        done = await asyncio.gather(*calls)
    return [tool_result(_get(use, "id"), result) for use, result in zip(uses, done, strict=True)]


def tool_result(tool_use_id: str, result: Result) -> dict[str, Any]:
    """The block that answers one `tool_use`."""
    seen: dict[str, Any] = {"type": "tool_result", "tool_use_id": tool_use_id, "content": result.for_model()}
    return seen if result.error is None else seen | {"is_error": True}


def _get(block: Any, name: str) -> Any:
    return block.get(name) if isinstance(block, Mapping) else getattr(block, name, None)
