"""LangChain and LangGraph: every tool as a BaseTool, and LangGraph's interrupts let through. `pip install langgraph`.

graph.add_node("tools", ToolNode(switchboard.adapters.langchain.tools(session)))
"""

from typing import Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp
from langgraph.types import interrupt

from switchboard.result import Result
from switchboard.session import Session


def tools(session: Session) -> list[Any]:
    """Every tool of the session's toolbox.

    Each tool call id gets exactly one ToolMessage, `status="error"` for a failure, with the Result as its artifact. A
    tool may call `interrupt(…)` before it does anything: the call is made again when the graph is resumed.
    """
    if GraphBubbleUp not in session.box.passing:
        session.box.passing = (*session.box.passing, GraphBubbleUp)
    return [_Guarded(session, each) for each in session.box.schemas()]


def ask(result: Result) -> Any:
    """Hand an escalated call to the graph's own people: pause with the case, resume with their answer."""
    return interrupt(hitl_request(result))


def hitl_request(result: Result) -> dict[str, Any]:
    """A failed call in the shape of LangChain's HITLRequest."""
    said = result.error.message if result.error else result.note
    action = {"name": result.tool, "args": dict(result.args), "description": said}
    review = {"action_name": result.tool, "allowed_decisions": ["approve", "edit", "reject", "respond"]}
    return {"action_requests": [action], "review_configs": [review]}


class _Guarded(BaseTool):  # type: ignore[misc]  # its base is untyped where LangChain is not installed
    """A tool whose every call goes through the session."""

    def __init__(self, session: Session, schema: dict[str, Any]) -> None:
        super().__init__(
            name=schema["name"], description=schema["description"], args_schema=schema["parameters"]
        )
        self._session = session

    def invoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:  # noqa: A002, ARG002  # LangChain's words
        """Call the tool, blocking."""
        args, call_id = _read(input)
        return _written(self._session.call_sync(self.name, args, call_id=call_id), call_id)

    async def ainvoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:  # noqa: A002, ARG002  # the same
        """Call the tool."""
        args, call_id = _read(input)
        return _written(await self._session.call(self.name, args, call_id=call_id), call_id)

    def _run(self, **arguments: Any) -> str:
        return self._session.call_sync(self.name, arguments).for_model()


def _read(given: Any) -> tuple[Any, str | None]:
    if isinstance(given, dict) and given.get("type") == "tool_call":
        return given["args"], given.get("id")
    return given, None


def _written(result: Result, call_id: str | None) -> Any:
    if call_id is None:
        return result.for_model()
    status = "success" if result.error is None else "error"
    return ToolMessage(
        content=result.for_model(), name=result.tool, tool_call_id=call_id, status=status, artifact=result
    )
