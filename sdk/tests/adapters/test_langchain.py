"""The adapter for LangChain and LangGraph against the packages themselves, with a scripted model."""

import asyncio
import json
from typing import Any

import pytest
from langchain.agents.middleware.human_in_the_loop import HITLRequest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt
from pydantic import TypeAdapter

import switchboard as sb
from switchboard.adapters import langchain
from switchboard.testing import FakeConsole


def graph(session: sb.Session, *calls: tuple[str, dict[str, Any]]) -> Any:
    """A model that makes these calls, and the session's tools."""
    made = [
        {"name": name, "args": args, "id": f"call_{n}", "type": "tool_call"}
        for n, (name, args) in enumerate(calls, start=1)
    ]
    found = StateGraph(MessagesState)
    found.add_node("model", lambda _: {"messages": [AIMessage(content="", tool_calls=made)]})
    found.add_node("tools", ToolNode(langchain.tools(session)))
    found.add_edge(START, "model")
    found.add_edge("model", "tools")
    found.add_edge("tools", END)
    return found.compile(checkpointer=InMemorySaver())


THREAD: Any = {"configurable": {"thread_id": "1"}}


@pytest.mark.parametrize("blocking", [False, True])
async def test_a_tool_node_answers_every_call_once(box: sb.Toolbox, blocking: bool) -> None:
    calls = [("search", {"city": "Tokyo"}), ("pay", {"amount": "much"}), ("pay", {"amount": 5})]
    async with box.session(goal="g") as session:
        app = graph(session, *calls)
        if blocking:
            state = await asyncio.to_thread(app.invoke, {"messages": []}, THREAD)
        else:
            state = await app.ainvoke({"messages": []}, THREAD)
    answers = state["messages"][-3:]
    assert [(each.tool_call_id, each.status) for each in answers] == [
        ("call_1", "success"), ("call_2", "error"), ("call_3", "error"),
    ]  # fmt: skip
    assert json.loads(answers[0].content)["data"] == ["Tokyo"]
    assert answers[2].artifact.outcome == "escalated"


async def test_an_interrupt_passes_through_and_the_call_is_made_again(console: FakeConsole) -> None:
    paid = []
    box = sb.Toolbox(console.client(), clock=console.clock)

    @box.tool(effect="write")
    async def pay(amount: int) -> str:
        """Pay."""
        answer = interrupt({"ask": amount})
        paid.append(amount)
        return f"paid, {answer}"

    async with box.session(goal="g") as session:
        app = graph(session, ("pay", {"amount": 5}))
        paused = await app.ainvoke({"messages": []}, THREAD)
        assert paused["__interrupt__"][0].value == {"ask": 5}
        assert paid == []
        state = await app.ainvoke(Command(resume="go"), THREAD)
    assert paid == [5]
    assert json.loads(state["messages"][-1].content)["data"] == "paid, go"
    box.client.flush()
    (call,) = console.calls  # the later report has replaced the one that said that somebody is asked
    assert (call["outcome"], call["rev"]) == ("succeeded", 1)


async def test_a_failed_call_is_handed_to_the_graphs_own_people_and_goes_on_with_their_word(
    box: sb.Toolbox,
) -> None:
    heard = []

    async with box.session(goal="g") as session:

        async def pay(_state: MessagesState) -> dict[str, Any]:
            result = await session.call("pay", {"amount": 5})
            heard.append(langchain.ask(result))
            return {"messages": []}

        found = StateGraph(MessagesState)
        found.add_node("pay", pay)
        found.add_edge(START, "pay")
        app = found.compile(checkpointer=InMemorySaver())
        paused = await app.ainvoke({"messages": []}, THREAD)
        request = paused["__interrupt__"][0].value
        TypeAdapter(HITLRequest).validate_python(request)
        assert request["action_requests"][0]["args"] == {"amount": 5}
        decided = {"decisions": [{"type": "reject", "message": "no"}]}
        await app.ainvoke(Command(resume=decided), THREAD)
    assert heard == [decided]
