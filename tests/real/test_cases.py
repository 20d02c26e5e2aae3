"""From a real framework's pause to a person's decision and back: the agent goes on, and the console hears how it ended."""

import pytest
from agents import Agent as OpenAIAgent
from agents import Runner
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from mcp import Client
from mcp import types as mcp
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel, TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults

from tests.real.asking import Asker
from tests.real.scenes import openai_agents
from tests.real.scenes import pydantic_ai as scene
from tests.real.scenes.langgraph import model

ASKED = [("book", {"flight": "MU5138"}, "c1")]


@pytest.fixture
def asker(console, agent):
    made = Asker(console, agent)
    yield made
    made.close()


@pytest.fixture
def ended(console, asker):
    """Say how a case ended: the decision, the execution, and what the first step gave."""

    def look(case):
        found = console.case(case["id"])
        return found["decision"], found["execution"]

    return look


def test_langchain_is_edited_by_a_person_and_runs_the_edited_call(console, asker, ended):
    @tool
    def book(flight: str) -> str:
        """Book a flight."""
        return f"booked {flight}"

    middleware = HumanInTheLoopMiddleware(interrupt_on={"book": True})
    agent = create_agent(
        model(ASKED, "done"), tools=[book], middleware=[middleware], checkpointer=InMemorySaver()
    )
    thread = {"configurable": {"thread_id": "1"}}
    (paused,) = agent.invoke({"messages": [("user", "go")]}, thread)["__interrupt__"]
    case = asker.ask("langchain", paused.value)
    assert asker.answer(case) is None
    changed = [{"id": "call-1", "args": {"flight": "CA1858"}}]
    console.decide(case, "edit", proposal_id="as asked", steps=changed)
    said = asker.answer(case)
    state = agent.invoke(Command(resume=said["answer"]), thread)
    result = state["messages"][-2].content
    assert result.endswith("booked CA1858")  # after LangChain's own note to the model that it was changed
    asker.report(case, said, ("call-1", result))
    assert ended(case) == ("edited", "executed")


async def test_pydantic_ai_is_approved_by_a_person_and_runs(console, asker, ended):
    agent = Agent(scene.model(ASKED, "done"), output_type=[str, DeferredToolRequests])
    scene.equip(agent)
    paused = await agent.run("go")
    request = TypeAdapter(DeferredToolRequests).dump_python(paused.output, mode="json")
    case = asker.ask("pydantic_ai", request)
    console.decide(case, proposal_id="as asked")
    said = asker.answer(case)
    results = TypeAdapter(DeferredToolResults).validate_python(said["answer"])
    done = await agent.run(message_history=paused.all_messages(), deferred_tool_results=results)
    (returned,) = [part.content for part in done.new_messages()[0].parts if part.part_kind == "tool-return"]
    assert returned == "booked MU5138"
    asker.report(case, said, ("c1", returned))
    assert ended(case) == ("approved", "executed")


async def test_openai_agents_hears_why_a_person_said_no(console, asker, ended):
    turns = openai_agents.Scripted(ASKED, "done")
    agent = OpenAIAgent(name="booker", model=turns, tools=[openai_agents.book])
    paused = await Runner.run(agent, "go")
    request = {"interruptions": [item.raw_item.model_dump(mode="json") for item in paused.interruptions]}
    case = asker.ask("openai_agents", request)
    console.decide(case, "reject", message="The traveller cancelled")
    said = asker.answer(case)
    state = paused.to_state()
    (item,), (no,) = paused.interruptions, said["answer"]
    assert not no["approve"]
    state.reject(item, rejection_message=no["rejection_message"])
    done = await Runner.run(agent, state)
    (output,) = [
        each["output"] for each in done.to_input_list() if each.get("type") == "function_call_output"
    ]
    assert output == "The traveller cancelled"
    assert ended(case) == ("rejected", "not_applicable")


class Seat(BaseModel):
    """What the server wants to know."""

    seat: str


async def test_an_mcp_servers_question_is_answered_by_a_person_while_the_call_waits(console, asker, ended):
    server, asked = MCPServer("flights"), []

    @server.tool()
    async def book(flight: str, ctx: Context) -> str:
        answer = await ctx.elicit("Which seat?", Seat)
        return f"booked {flight}, {answer.data.seat}" if answer.action == "accept" else answer.action

    async def elicited(_context, params):
        case = asker.ask("mcp", params.model_dump(mode="json", by_alias=True, exclude_none=True))
        console.decide(case, "respond", answer={"seat": "12A"})
        said = asker.answer(case)
        asked.append(case)
        return mcp.ElicitResult.model_validate(said["answer"])

    async with Client(server, mode="legacy", elicitation_callback=elicited) as client:
        result = await client.call_tool("book", {"flight": "MU5138"})
    assert result.content[0].text == "booked MU5138, 12A"
    assert ended(asked[0]) == ("responded", "not_applicable")
