"""pydantic-ai with its own instrumentation."""

from typing import Any

from pydantic_ai import (
    Agent,
    ApprovalRequired,
    CallDeferred,
    DeferredToolRequests,
    DeferredToolResults,
    ModelRetry,
    RunContext,
)
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings


def model(*turns: Any) -> FunctionModel:
    """Give a model of these turns: a text, or a list of (tool, arguments, call id)."""
    left = list(turns)

    def speak(_messages: Any, _info: Any) -> ModelResponse:
        turn = left.pop(0)
        if isinstance(turn, str):
            return ModelResponse(parts=[TextPart(turn)])
        return ModelResponse(parts=[ToolCallPart(name, args, each) for name, args, each in turn])

    return FunctionModel(speak)


def equip(agent: Any) -> None:
    """Give the agent its tools."""

    @agent.tool_plain
    def search_flights(to: str) -> list[dict[str, str]]:
        return [{"flight": "MU5138", "to": to}]

    @agent.tool_plain
    def pay(amount: int) -> dict[str, Any]:
        if amount > 100:
            raise ModelRetry("amount must be 100 at most")
        return {"isError": True, "message": "card declined"}

    @agent.tool
    def book(ctx: RunContext[Any], flight: str) -> str:
        if not ctx.tool_call_approved:
            raise ApprovalRequired(metadata={"price": 5})
        return f"booked {flight}"

    @agent.tool_plain
    def ask_hotel(name: str) -> str:
        raise CallDeferred

    @agent.tool_plain
    def refund(amount: int) -> str:
        raise ConnectionResetError("bank: connection reset by peer")


async def run(provider: Any) -> None:
    """Calls of every fate, two that wait, their results, and one that breaks the run."""
    script = [
        [("search_flights", {"to": "PEK"}, "c1"), ("pay", {"amount": "much"}, "c2")],
        [("pay", {"amount": 500}, "c3"), ("pay", {"amount": 5}, "c4")],
        [("book", {"flight": "MU5138"}, "c5"), ("ask_hotel", {"name": "Lotus"}, "c6")],
        "done",
        [("refund", {"amount": 5}, "c7")],
    ]
    agent: Any = Agent(
        model(*script),
        name="booker",
        output_type=[str, DeferredToolRequests],
        retries=3,
        capabilities=[Instrumentation(InstrumentationSettings(tracer_provider=provider))],
    )
    equip(agent)
    first = await agent.run("go", conversation_id="trip-77")
    assert [call.tool_call_id for call in first.output.approvals] == ["c5"]
    results = DeferredToolResults(approvals={"c5": True}, calls={"c6": "a room"})
    history = first.all_messages()
    done = await agent.run(message_history=history, deferred_tool_results=results, conversation_id="trip-77")
    assert done.output == "done"
    try:
        await agent.run("refund", conversation_id="trip-77")
    except ConnectionResetError:
        return
    raise AssertionError("the refund went through")
