"""OpenAI Agents SDK: every tool as a FunctionTool. `pip install openai-agents`.

agent = Agent(name="travel", tools=switchboard.adapters.openai_agents.tools(session))
"""

from collections.abc import Collection
from typing import Any

from agents import FunctionTool

from switchboard.session import Session


def tools(session: Session, *, needs_approval: Collection[str] = ()) -> list[Any]:
    """Every tool of the session's toolbox. Arguments are validated, retried and timed by the kit and nobody else.

    The run stops at a tool named in `needs_approval`: it is among `result.interruptions` until it is approved.
    """
    return [_tool(session, each, waits=each["name"] in needs_approval) for each in session.box.schemas()]


def _tool(session: Session, schema: dict[str, Any], *, waits: bool) -> Any:
    name = schema["name"]

    async def invoke(context: Any, arguments: str) -> str:
        result = await session.call(name, arguments, call_id=getattr(context, "tool_call_id", None))
        return result.for_model()

    return FunctionTool(
        name=name,
        description=schema["description"],
        params_json_schema=schema["parameters"],
        on_invoke_tool=invoke,
        strict_json_schema=False,
        needs_approval=waits,
    )
