"""The adapters against the real packages, with a scripted model; skipped where a package is not installed.

`uv pip install --target FOLDER langchain-core langgraph openai-agents pydantic-ai-slim` and FOLDER on PYTHONPATH.
"""

import json
import warnings
from typing import Any

import pytest

import switchboard as sb
from switchboard.testing import FakeConsole


@pytest.fixture
def box(console: FakeConsole) -> sb.Toolbox:
    toolbox = sb.Toolbox(console.client(), clock=console.clock)

    @toolbox.tool(effect="read")
    async def search(city: str) -> list[str]:
        """Find flights."""
        return [] if city == "Tokio" else [city]

    @toolbox.tool(effect="write")
    async def pay(amount: int) -> dict[str, int]:
        """Pay."""
        raise sb.HttpFailure(403)

    return toolbox


async def test_langgraph_tool_node_answers_every_call_once(box: sb.Toolbox) -> None:
    pytest.importorskip("langgraph")
    from langchain_core.messages import AIMessage  # noqa: PLC0415
    from langgraph.graph import END, START, MessagesState, StateGraph  # noqa: PLC0415
    from langgraph.prebuilt import ToolNode  # noqa: PLC0415

    from switchboard.adapters import langchain  # noqa: PLC0415

    calls = [
        {"name": "search", "args": {"city": "Tokyo"}, "id": "call_1", "type": "tool_call"},
        {"name": "pay", "args": {"amount": "much"}, "id": "call_2", "type": "tool_call"},
        {"name": "pay", "args": {"amount": 5}, "id": "call_3", "type": "tool_call"},
    ]
    async with box.session(goal="g") as session:
        graph = StateGraph(MessagesState)
        graph.add_node("model", lambda _: {"messages": [AIMessage(content="", tool_calls=calls)]})
        graph.add_node("tools", ToolNode(langchain.tools(session)))
        graph.add_edge(START, "model")
        graph.add_edge("model", "tools")
        graph.add_edge("tools", END)
        state = await graph.compile().ainvoke({"messages": []})
    answers = state["messages"][-3:]
    assert [(each.tool_call_id, each.status) for each in answers] == [
        ("call_1", "success"), ("call_2", "error"), ("call_3", "error"),
    ]  # fmt: skip
    assert json.loads(answers[0].content)["data"] == ["Tokyo"]
    assert answers[2].artifact.outcome == "escalated"


async def test_langgraph_interrupt_passes_through_and_the_call_is_made_again(console: FakeConsole) -> None:
    pytest.importorskip("langgraph")
    from langchain_core.messages import AIMessage  # noqa: PLC0415
    from langgraph.checkpoint.memory import InMemorySaver  # noqa: PLC0415
    from langgraph.graph import START, MessagesState, StateGraph  # noqa: PLC0415
    from langgraph.prebuilt import ToolNode  # noqa: PLC0415
    from langgraph.types import Command, interrupt  # noqa: PLC0415

    from switchboard.adapters import langchain  # noqa: PLC0415

    paid = []
    box = sb.Toolbox(console.client(), clock=console.clock)

    @box.tool(effect="write")
    async def pay(amount: int) -> str:
        """Pay."""
        answer = interrupt({"ask": amount})
        paid.append(amount)
        return f"paid, {answer}"

    call = {"name": "pay", "args": {"amount": 5}, "id": "call_1", "type": "tool_call"}
    async with box.session(goal="g") as session:
        graph = StateGraph(MessagesState)
        graph.add_node("model", lambda _: {"messages": [AIMessage(content="", tool_calls=[call])]})
        graph.add_node("tools", ToolNode(langchain.tools(session)))
        graph.add_edge(START, "model")
        graph.add_edge("model", "tools")
        app = graph.compile(checkpointer=InMemorySaver())
        config: Any = {"configurable": {"thread_id": "1"}}
        paused = await app.ainvoke({"messages": []}, config)
        assert paused["__interrupt__"][0].value == {"ask": 5}
        assert paid == []
        state = await app.ainvoke(Command(resume="go"), config)
    assert paid == [5]
    assert json.loads(state["messages"][-1].content)["data"] == "paid, go"


async def test_openai_agents_runs_the_tools_and_gets_their_text(box: sb.Toolbox) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agents = pytest.importorskip("agents")
    from agents.tool_context import ToolContext  # noqa: PLC0415

    from switchboard.adapters import openai_agents  # noqa: PLC0415

    async with box.session(goal="g") as session:
        search, pay = openai_agents.tools(session)
        assert isinstance(search, agents.FunctionTool)
        context = ToolContext(context=None, tool_name="search", tool_call_id="call_1", tool_arguments="{}")
        good = await search.on_invoke_tool(context, '{"city": "Tokyo"}')
        bad = await pay.on_invoke_tool(context, '{"amount": ')
        assert session.journal is not None
        assert session.journal.entries()[0].logical_id == "call_1"
    assert json.loads(good)["data"] == ["Tokyo"]
    assert json.loads(bad)["verdict"] == "INVALID_ARGS"


async def test_pydantic_ai_gives_the_model_the_failure_and_goes_on(box: sb.Toolbox) -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent  # noqa: PLC0415
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart  # noqa: PLC0415
    from pydantic_ai.models.function import FunctionModel  # noqa: PLC0415

    from switchboard.adapters import pydantic_ai  # noqa: PLC0415

    seen = []

    def model(messages: list[Any], _: Any) -> ModelResponse:
        returned = [part for part in messages[-1].parts if part.part_kind == "tool-return"]
        seen.extend(part.content for part in returned)
        if not returned:
            return ModelResponse(
                parts=[ToolCallPart("search", {"city": "Tokio"}), ToolCallPart("pay", {"amount": 1})]
            )
        return ModelResponse(parts=[TextPart("done")])

    async with box.session(goal="g") as session:
        agent: Any = Agent(FunctionModel(model), tools=pydantic_ai.tools(session))
        reply = await agent.run("go")
    assert reply.output == "done"
    assert [each["verdict"] for each in seen] == ["EMPTY", "UNRECOVERABLE"]


def test_importing_the_sdk_imports_no_framework() -> None:
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    frameworks = ("langchain_core", "langgraph", "agents", "pydantic_ai", "anthropic", "mcp")
    code = f"import sys, switchboard; print([m for m in {frameworks!r} if m in sys.modules])"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "[]"
