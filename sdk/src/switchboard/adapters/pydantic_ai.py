"""pydantic-ai: every tool as a Tool. `pip install pydantic-ai-slim`.

agent = Agent(model, tools=switchboard.adapters.pydantic_ai.tools(session))
"""

from collections.abc import Collection
from typing import Any

from pydantic_ai import ApprovalRequired, CallDeferred, RunContext, Tool

from switchboard.session import Session


def tools(session: Session, *, needs_approval: Collection[str] = ()) -> list[Any]:
    """Every tool of the session's toolbox. A failure is an answer the model can act on, never a ModelRetry.

    A tool named in `needs_approval` is among the `DeferredToolRequests` until it is approved; one may also raise
    `ApprovalRequired` or `CallDeferred` before it does anything.
    """
    waiting = tuple(each for each in (ApprovalRequired, CallDeferred) if each not in session.box.passing)
    session.box.passing = (*session.box.passing, *waiting)
    return [_tool(session, each, waits=each["name"] in needs_approval) for each in session.box.schemas()]


def _tool(session: Session, schema: dict[str, Any], *, waits: bool) -> Any:
    name = schema["name"]

    async def invoke(context: RunContext[Any], /, **arguments: Any) -> dict[str, Any]:
        result = await session.call(name, arguments, call_id=context.tool_call_id)
        return result.as_dict()

    tool = Tool.from_schema(
        invoke, name=name, description=schema["description"], json_schema=schema["parameters"], takes_ctx=True
    )
    tool.requires_approval = waits
    return tool
