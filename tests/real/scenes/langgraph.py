"""LangGraph by LangChain's `create_agent`, seen by OpenInference."""

from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import ToolException, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from openinference.instrumentation.langchain import LangChainInstrumentor


class Scripted(GenericFakeChatModel):
    """Says what the script says, whatever tools it is given."""

    def bind_tools(self, *_tools: Any, **_more: Any) -> Any:
        return self


def model(*turns: Any) -> Scripted:
    """Give a model of these turns: a text, or a list of (tool, arguments, call id)."""
    return Scripted(messages=iter([said(turn) for turn in turns]))


def said(turn: Any) -> AIMessage:
    if isinstance(turn, str):
        return AIMessage(content=turn)
    calls = [{"name": name, "args": args, "id": each, "type": "tool_call"} for name, args, each in turn]
    return AIMessage(content="", tool_calls=calls)


def tools() -> list[Any]:
    left = [2]

    @tool
    def search_flights(to: str) -> list[dict[str, str]]:
        """Find flights."""
        return [{"flight": "MU5138", "to": to}]

    @tool
    def pay(amount: int) -> str:
        """Pay."""
        raise ToolException("card declined")

    pay.handle_tool_error = True  # LangChain gives the model the text and calls the run a success

    @tool
    def get_seat_map(flight: str, deck: int) -> dict[str, int]:
        """Fail twice, then answer."""
        if left[0]:
            left[0] -= 1
            raise TimeoutError("seat service: timed out")
        return {"free": 12}

    @tool
    def book(flight: str) -> str:
        """Book, when somebody has said so."""
        return f"booked, {interrupt({'ask': flight})}"

    return [search_flights, pay, get_seat_map, book]


def run(provider: Any) -> None:
    """Two turns of calls of every fate, one that waits for a person, and its resumption."""
    instrumentor = LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        _run()
    finally:
        instrumentor.uninstrument()


def _run() -> None:
    first = [
        ("search_flights", {"to": "PEK"}, "c1"),
        ("pay", {"amount": "much"}, "c2"),
        ("teleport", {"to": "PEK"}, "c3"),
    ]
    second = [("pay", {"amount": 5}, "c4"), ("get_seat_map", {"flight": "MU5138", "deck": 1}, "c5")]
    agent = create_agent(
        model(first, second, [("book", {"flight": "MU5138"}, "c6")], "done"),
        tools=tools(),
        middleware=[ToolRetryMiddleware(tools=["get_seat_map"], initial_delay=0, backoff_factor=0)],
        checkpointer=InMemorySaver(),
        name="booker",
    )
    thread: Any = {"configurable": {"thread_id": "trip-77"}}
    paused = agent.invoke({"messages": [("user", "go")]}, thread)
    assert paused["__interrupt__"][0].value == {"ask": "MU5138"}
    resumed = agent.invoke(Command(resume="yes"), thread)
    assert resumed["messages"][-1].content == "done"
