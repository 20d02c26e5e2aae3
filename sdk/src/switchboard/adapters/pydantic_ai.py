"""pydantic-ai: every tool as a Tool. `pip install pydantic-ai-slim`.

agent = Agent(model, tools=switchboard.adapters.pydantic_ai.tools(session))
"""

from typing import Any

from pydantic_ai import RunContext, Tool

from switchboard.session import Session


def tools(session: Session) -> list[Any]:
    """Every tool of the session's toolbox. A failure is an answer the model can act on, never a ModelRetry."""
    return [_tool(session, each) for each in session.box.schemas()]


def _tool(session: Session, schema: dict[str, Any]) -> Any:
    name = schema["name"]

    async def invoke(context: RunContext[Any], /, **arguments: Any) -> dict[str, Any]:
        result = await session.call(name, arguments, call_id=context.tool_call_id)
        return result.as_dict()

    return Tool.from_schema(
        invoke, name=name, description=schema["description"], json_schema=schema["parameters"], takes_ctx=True
    )
