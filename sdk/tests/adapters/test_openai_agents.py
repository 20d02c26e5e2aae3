"""The adapter for the OpenAI Agents SDK against the package itself, with a scripted model."""

import json
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, RunState, Usage, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

import switchboard as sb
from switchboard.adapters import openai_agents


class Scripted(Model):  # type: ignore[misc]  # untyped where the package is not installed
    """Says what the script says: a text, or (tool, arguments) pairs."""

    def __init__(self, *turns: Any) -> None:
        self.turns = list(turns)
        set_tracing_disabled(True)

    async def get_response(self, *_args: Any, **_more: Any) -> Any:
        turn = self.turns.pop(0)
        said = _text(turn) if isinstance(turn, str) else _calls(turn)
        return ModelResponse(output=said, usage=Usage(), response_id=None)

    def stream_response(self, *_args: Any, **_more: Any) -> Any:
        raise NotImplementedError


def _text(said: str) -> list[Any]:
    part = ResponseOutputText(type="output_text", text=said, annotations=[])
    return [
        ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[part])
    ]


def _calls(turn: Any) -> list[Any]:
    return [
        ResponseFunctionToolCall(
            type="function_call", name=name, arguments=said, call_id=f"call_{n}", id=f"fc_{n}"
        )
        for n, (name, said) in enumerate(turn, start=1)
    ]


def outputs(result: Any) -> list[Any]:
    items = result.to_input_list()
    return [json.loads(each["output"]) for each in items if each.get("type") == "function_call_output"]


async def test_the_runner_makes_the_calls_and_the_model_hears_what_to_change(box: sb.Toolbox) -> None:
    turn = [("search", '{"city": "Tokyo"}'), ("pay", '{"amount": '), ("pay", '{"amount": 5}')]
    async with box.session(goal="g") as session:
        agent = Agent(name="a", model=Scripted(turn, "done"), tools=openai_agents.tools(session))
        result = await Runner.run(agent, "go")
        assert session.journal is not None
        assert session.journal.entries()[0].logical_id == "call_1"
    good, bad, refused = outputs(result)
    assert (result.final_output, good["data"], bad["verdict"]) == ("done", ["Tokyo"], "INVALID_ARGS")
    assert refused["verdict"] == "UNRECOVERABLE"


async def test_a_tool_that_needs_approval_stops_the_run_and_runs_when_it_is_approved(booking: Any) -> None:
    box, booked = booking
    async with box.session(goal="g") as session:
        tools = openai_agents.tools(session, needs_approval={"book"})
        agent = Agent(name="a", model=Scripted([("book", '{"flight": "MU5138"}')], "done"), tools=tools)
        paused = await Runner.run(agent, "go")
        (item,) = paused.interruptions
        assert (item.name, booked) == ("book", [])
        state = await RunState.from_json(agent, paused.to_state().to_json())
        state.approve(state.get_interruptions()[0])
        done = await Runner.run(agent, state)
    assert (done.final_output, booked) == ("done", ["MU5138"])
    assert outputs(done)[0]["data"] == "booked MU5138"
