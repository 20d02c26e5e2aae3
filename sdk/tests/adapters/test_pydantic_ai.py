"""The adapter for pydantic-ai against the package itself, with a scripted model."""

from typing import Any

from pydantic_ai import (
    Agent,
    ApprovalRequired,
    DeferredToolRequests,
    DeferredToolResults,
    ToolApproved,
    ToolDenied,
)
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

import switchboard as sb
from switchboard.adapters import pydantic_ai
from switchboard.testing import FakeConsole


def model(*calls: tuple[str, dict[str, Any]]) -> tuple[FunctionModel, list[Any]]:
    """A model that makes these calls and then is done; and what it heard of them."""
    heard: list[Any] = []

    def speak(messages: list[Any], _: Any) -> ModelResponse:
        returned = [part for part in messages[-1].parts if part.part_kind == "tool-return"]
        heard.extend(part.content for part in returned)
        if returned:
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(parts=[ToolCallPart(*call) for call in calls])

    return FunctionModel(speak), heard


async def test_the_model_hears_of_the_failure_and_goes_on(box: sb.Toolbox) -> None:
    scripted, heard = model(("search", {"city": "Tokio"}), ("pay", {"amount": 1}))
    async with box.session(goal="g") as session:
        agent: Any = Agent(scripted, tools=pydantic_ai.tools(session))
        reply = await agent.run("go")
    assert reply.output == "done"
    assert [each["verdict"] for each in heard] == ["EMPTY", "UNRECOVERABLE"]


async def test_a_tool_that_needs_approval_waits_and_takes_the_persons_arguments(booking: Any) -> None:
    box, booked = booking
    scripted, heard = model(("book", {"flight": "MU5138"}))
    async with box.session(goal="g") as session:
        tools = pydantic_ai.tools(session, needs_approval={"book"})
        agent: Any = Agent(scripted, tools=tools, output_type=[str, DeferredToolRequests])
        paused = await agent.run("go")
        (waiting,) = paused.output.approvals
        assert (waiting.tool_name, booked) == ("book", [])
        approved = {waiting.tool_call_id: ToolApproved(override_args={"flight": "CA1858"})}
        results = DeferredToolResults(approvals=approved)
        done = await agent.run(message_history=paused.all_messages(), deferred_tool_results=results)
    assert (done.output, booked, heard[0]["data"]) == ("done", ["CA1858"], "booked CA1858")


async def test_a_tool_that_asks_by_itself_is_denied_and_nothing_was_done(console: FakeConsole) -> None:
    box, paid = sb.Toolbox(console.client(), clock=console.clock), []

    @box.tool(effect="write")
    async def pay(amount: int) -> str:
        """Pay."""
        if amount > 1:
            raise ApprovalRequired
        paid.append(amount)
        return "paid"

    scripted, heard = model(("pay", {"amount": 5}))
    async with box.session(goal="g") as session:
        agent: Any = Agent(
            scripted, tools=pydantic_ai.tools(session), output_type=[str, DeferredToolRequests]
        )
        paused = await agent.run("go")
        (waiting,) = paused.output.approvals
        results = DeferredToolResults(approvals={waiting.tool_call_id: ToolDenied("too much")})
        await agent.run(message_history=paused.all_messages(), deferred_tool_results=results)
    assert (paid, heard) == ([], ["too much"])
