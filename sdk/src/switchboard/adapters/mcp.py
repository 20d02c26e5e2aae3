"""MCP: a server's tools in a toolbox, and a toolbox's results as a server gives them.

    await switchboard.adapters.mcp.register(toolbox, client_session, effects={"search": "read"})

Nothing of the `mcp` package is imported: any object with `list_tools` and `call_tool` will do.
"""

from collections.abc import Mapping
from typing import Any

from switchboard.failure import Deferred
from switchboard.open_schema import OpenSchema
from switchboard.result import Result
from switchboard.tool import Context, Tool
from switchboard.toolbox import Toolbox
from switchboard.vocabulary import Effect


async def register(
    toolbox: Toolbox, client: Any, *, effects: Mapping[str, str] | None = None, prefix: str = "", **said: Any
) -> list[Tool]:
    """Put every tool of the server into the toolbox.

    An effect that `effects` does not name is `write`. The server's hints are not trusted: they can only make a
    declared effect stricter, never looser.
    """
    listed = await client.list_tools()
    return [
        _register(toolbox, client, each, {"prefix": prefix, "effects": effects or {}, "said": said})
        for each in listed.tools
    ]


def call_tool_result(result: Result, *, has_output_schema: bool) -> dict[str, Any]:
    """A result as an MCP server answers: an error is `isError` with the text, and never structured content.

    A client that checks the output schema would otherwise refuse the error and hide it.
    """
    content = [{"type": "text", "text": result.for_model()}]
    if result.error is not None:
        return {"content": content, "isError": True}
    structured = result.data if isinstance(result.data, dict) else {"result": result.data}
    return {"content": content, "isError": False} | (
        {"structuredContent": structured} if has_output_schema else {}
    )


def _register(toolbox: Toolbox, client: Any, listed: Any, how: Mapping[str, Any]) -> Tool:
    schema = _get(listed, "input_schema", "inputSchema") or {"type": "object"}

    async def call(*, kit_context: Context, **arguments: Any) -> Any:
        meta = {"idempotencyKey": kit_context.idempotency_key}
        return _read(await client.call_tool(listed.name, arguments, meta=meta))

    name = how["prefix"] + listed.name
    toolbox.tool(
        name=name,
        description=listed.description or "",
        effect=_effect(listed, how["effects"]),
        signature=OpenSchema(schema, context_name="kit_context"),
        **how["said"],
    )(call)
    return toolbox.tools[name]


def _effect(listed: Any, effects: Mapping[str, str]) -> Effect:
    declared = Effect(effects.get(listed.name, Effect.WRITE))
    hints = _get(listed, "annotations")
    if (
        _get(hints, "destructive_hint", "destructiveHint") is True
        or _get(hints, "read_only_hint", "readOnlyHint") is False
    ):
        return Effect.WRITE if declared is Effect.READ else declared
    return declared


def _read(answer: Any) -> Any:
    """The data of an answer; an error as the kit's classifier reads it; a request for input is a deferral."""
    if _get(answer, "input_requests", "inputRequests") is not None:
        raise Deferred("The server asks for input first.")
    structured = _get(answer, "structured_content", "structuredContent")
    blocks = [_block(each) for each in _get(answer, "content") or ()]
    if _get(answer, "is_error", "isError") is True:
        return {"isError": True, "content": blocks, "structuredContent": structured}
    if structured is not None:
        return structured
    texts = [block["text"] for block in blocks if "text" in block]
    return texts[0] if len(blocks) == len(texts) == 1 else blocks


def _block(block: Any) -> dict[str, Any]:
    if isinstance(block, Mapping):
        return dict(block)
    dumped: dict[str, Any] = block.model_dump(mode="json", exclude_none=True)
    return dumped


def _get(thing: Any, *names: str) -> Any:
    for name in names:
        value = thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)
        if value is not None:
            return value
    return None
