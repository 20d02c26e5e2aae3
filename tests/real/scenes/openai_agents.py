"""OpenAI Agents SDK, its own tracing carried to OpenTelemetry by OpenInference."""

import json
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool
from agents.exceptions import UserError
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from openinference.instrumentation import using_session
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor


class Scripted(Model):
    """Says what the script says: a text, or a list of (tool, arguments, call id)."""

    def __init__(self, *turns: Any) -> None:
        self.turns = list(turns)

    async def get_response(self, *_args: Any, **_more: Any) -> ModelResponse:
        return ModelResponse(output=said(self.turns.pop(0)), usage=Usage(), response_id=None)

    def stream_response(self, *_args: Any, **_more: Any) -> Any:
        raise NotImplementedError


def said(turn: Any) -> list[Any]:
    if isinstance(turn, str):
        text = ResponseOutputText(type="output_text", text=turn, annotations=[])
        return [ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])]  # fmt: skip
    return [
        ResponseFunctionToolCall(
            type="function_call", name=name, arguments=json.dumps(args), call_id=each, id=f"fc_{each}"
        )
        for name, args, each in turn
    ]


@function_tool
def search_flights(to: str) -> str:
    """Find flights."""
    return json.dumps([{"flight": "MU5138", "to": to}])


@function_tool
def pay(amount: int) -> str:
    """Pay."""
    raise ConnectionError("bank: connection refused")


@function_tool
def note(text: str) -> None:
    """Write a note and say nothing."""


@function_tool(failure_error_function=None)
def crash(amount: int) -> str:
    """Break the run."""
    raise ValueError("boom")


@function_tool(needs_approval=True)
def book(flight: str) -> str:
    """Book, when somebody has said so."""
    return f"booked {flight}"


async def run(provider: Any) -> None:
    """Calls of every fate, one that waits for a person, and one that breaks the run."""
    instrumentor = OpenAIAgentsInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        with using_session("trip-77"):
            await _run()
    finally:
        instrumentor.uninstrument()


async def _run() -> None:
    tools = [search_flights, pay, note, book, crash]
    turns = [
        [("search_flights", {"to": "PEK"}, "c1"), ("note", {"text": "hi"}, "c2"), ("pay", {"amount": 5}, "c3")],
        [("book", {"flight": "MU5138"}, "c4")],
        "done",
    ]  # fmt: skip
    agent = Agent(name="booker", model=Scripted(*turns), tools=tools)
    paused = await Runner.run(agent, "go")
    (waiting,) = paused.interruptions
    state = paused.to_state()
    state.approve(waiting)
    done = await Runner.run(agent, state)
    assert done.final_output == "done"
    broken = Agent(name="booker", model=Scripted([("crash", {"amount": 5}, "c5")]), tools=tools)
    try:
        await Runner.run(broken, "go")
    except UserError:
        return
    raise AssertionError("the run went through")
