"""OpenAI Agents SDK: every tool as a FunctionTool. `pip install openai-agents`.

agent = Agent(name="travel", tools=switchboard.adapters.openai_agents.tools(session))
"""

from typing import Any

from agents import FunctionTool

from switchboard.session import Session


def tools(session: Session) -> list[Any]:
    """Every tool of the session's toolbox. Arguments are validated, retried and timed by the kit and nobody else."""
    return [_tool(session, each) for each in session.box.schemas()]


def _tool(session: Session, schema: dict[str, Any]) -> Any:
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
    )
