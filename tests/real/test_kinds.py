"""What we take from each family is what its package really gives, and its package acts on what we answer."""

import json

import pytest
from ag_ui.core import Interrupt as AgUiInterrupt
from ag_ui.core import RunAgentInput
from agents import Agent as OpenAIAgent
from agents import Runner, RunState
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain.agents.middleware.human_in_the_loop import HITLRequest, HITLResponse
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt.interrupt import HumanInterrupt, HumanResponse
from langgraph.types import Command, interrupt
from mcp import types as mcp
from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults

from escalations.domain.kinds import in_kind, packaged
from tests.real.scenes import openai_agents
from tests.real.scenes import pydantic_ai as scene
from tests.real.scenes.langgraph import model

SAYINGS = ["approve", "edit", "reject", "expired"]
NOBODY = "Nobody decided by the deadline; nothing was approved."


def asked(kind, request):
    """Package a request as it travels: as JSON."""
    return packaged(kind, json.loads(json.dumps(request)), {}, key="k")


def answered(package, action, **more):
    """Give the answer in kind to a decision as the console sends it: of two calls only the first is run or changed."""
    steps = [
        {"id": step["id"], "tool": step["tool"], "args": dict(step["args"]), "run": n == 0, "edited": False}
        for n, step in enumerate(package["proposals"][0]["steps"] if package["proposals"] else ())
    ]
    if action == "edit":
        steps[0] |= {"args": {**steps[0]["args"], "flight": "CA1858"}, "edited": True}
    said = {"kind": "decision", "action": action, "steps": steps, "message": "Too costly", **more}
    if action == "expired":
        said |= {"kind": "expired", "action": "reject", "steps": [], "message": ""}
    return json.loads(json.dumps(in_kind(package["context"], said)))


class Booked(list[str]):
    """What the tool was really called with."""

    def tool(self):
        @tool
        def book(flight: str) -> str:
            """Book a flight."""
            self.append(flight)
            return f"booked {flight}"

        return book


TWO = [("book", {"flight": "MU5138"}, "c1"), ("book", {"flight": "MU5140"}, "c2")]
DONE = {"approve": ["MU5138"], "edit": ["CA1858"], "reject": [], "expired": []}


def langchain_agent(booked, mode):
    middleware = HumanInTheLoopMiddleware(interrupt_on={"book": True}, interrupt_mode=mode)
    return create_agent(
        model(TWO, "done"), tools=[booked.tool()], middleware=[middleware], checkpointer=InMemorySaver()
    )


def refusals(state):
    return {
        each.tool_call_id: each.content
        for each in state["messages"]
        if isinstance(each, ToolMessage) and each.status == "error"
    }


@pytest.mark.parametrize("saying", SAYINGS)
def test_langchain_takes_a_decision_for_each_call(saying):
    booked, thread = Booked(), {"configurable": {"thread_id": "1"}}
    agent = langchain_agent(booked, "batched")
    (paused,) = agent.invoke({"messages": [("user", "go")]}, thread)["__interrupt__"]
    TypeAdapter(HITLRequest).validate_python(paused.value)
    package = asked("langchain", paused.value)
    assert set(package["allowed"]) == {"approve", "edit", "reject", "respond"}
    answer = answered(package, saying)
    TypeAdapter(HITLResponse).validate_python(answer, extra="forbid")
    state = agent.invoke(Command(resume=answer), thread)
    assert booked == DONE[saying]
    assert all("Too costly" in said or NOBODY in said for said in refusals(state).values())
    assert len(refusals(state)) == 2 - len(booked)
    assert (NOBODY in str(refusals(state))) is (saying == "expired")


def test_langchain_gives_the_model_a_persons_answer_in_the_tools_place():
    booked, thread = Booked(), {"configurable": {"thread_id": "1"}}
    agent = langchain_agent(booked, "batched")
    (paused,) = agent.invoke({"messages": [("user", "go")]}, thread)["__interrupt__"]
    answer = answered(asked("langchain", paused.value), "respond", answer={"seat": "12A"})
    state = agent.invoke(Command(resume=answer), thread)
    said = [each.content for each in state["messages"] if isinstance(each, ToolMessage)]
    assert (booked, said) == ([], ['{"seat": "12A"}'] * 2)


@pytest.mark.parametrize("saying", SAYINGS)
@pytest.mark.parametrize("kind", ["langchain", "langchain_call"])
def test_langchains_calls_one_by_one_are_cases_of_their_own(kind, saying):
    booked, thread = Booked(), {"configurable": {"thread_id": "1"}}
    agent = langchain_agent(booked, "per_call")
    asking = agent.invoke({"messages": [("user", "go")]}, thread)["__interrupt__"]
    first, second = sorted(asking, key=lambda each: str(each.value))  # LangGraph asks from two threads
    package = asked(kind, {**first.value, "response_schema": first.response_schema})
    assert package["proposals"][0]["steps"][0]["args_schema"]["required"] == ["flight"]
    answers = {first.id: answered(package, saying), second.id: {"type": "reject", "message": "Too costly"}}
    state = agent.invoke(Command(resume=answers), thread)
    assert booked == DONE[saying]
    assert len(refusals(state)) == 2 - len(booked)


@pytest.mark.parametrize(
    ("saying", "kind"),
    [("approve", "accept"), ("edit", "edit"), ("reject", "response"), ("expired", "ignore")],
)
def test_the_older_interrupt_is_answered_by_a_list_of_one(saying, kind):
    """`langgraph.prebuilt.interrupt` is deprecated, and agents that use it are still about."""
    config = dict.fromkeys(["allow_accept", "allow_edit", "allow_respond", "allow_ignore"], True)
    wanted = {"action_request": {"action": "book", "args": {"flight": "MU5138"}}, "config": config}
    TypeAdapter(HumanInterrupt).validate_python({**wanted, "description": None})
    graph = StateGraph(MessagesState)
    heard = []
    graph.add_node("ask", lambda _: heard.append(interrupt([{**wanted, "description": "Book?"}])))
    graph.add_edge(START, "ask")
    app, thread = graph.compile(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "1"}}
    ((request,),) = [each.value for each in app.invoke({"messages": []}, thread)["__interrupt__"]]
    answer = answered(asked("interrupt", request), saying)
    TypeAdapter(list[HumanResponse]).validate_python(answer, extra="forbid")
    app.invoke(Command(resume=answer), thread)
    assert heard == [answer]
    assert [each["type"] for each in answer] == [kind]


@pytest.mark.parametrize("saying", SAYINGS)
async def test_openai_agents_goes_on_as_decided_and_never_hears_of_an_edit(saying):
    agent = OpenAIAgent(
        name="booker",
        model=openai_agents.Scripted([("book", {"flight": "MU5138"}, "c1")], "done"),
        tools=[openai_agents.book],
    )
    paused = await Runner.run(agent, "go")
    request = {"interruptions": [item.raw_item.model_dump(mode="json") for item in paused.interruptions]}
    package = asked("openai_agents", request)
    assert package["allowed"] == ["approve", "reject"]
    assert "cannot carry changed arguments" in package["context"]["cannot"]
    if saying == "edit":
        return
    state = await RunState.from_json(agent, paused.to_state().to_json())  # another process goes on
    for item, said in zip(state.get_interruptions(), answered(package, saying), strict=True):
        assert item.call_id == said["call_id"]
        if said["approve"]:
            state.approve(item)
        else:
            state.reject(item, rejection_message=said["rejection_message"])
    done = await Runner.run(agent, state)
    (output,) = [
        each["output"] for each in done.to_input_list() if each.get("type") == "function_call_output"
    ]
    assert output == {"approve": "booked MU5138", "reject": "Too costly", "expired": NOBODY}[saying]


@pytest.mark.parametrize("saying", SAYINGS)
async def test_pydantic_ai_goes_on_as_decided(saying):
    agent = Agent(
        scene.model([("book", {"flight": "MU5138"}, "c1")], "done"), output_type=[str, DeferredToolRequests]
    )
    scene.equip(agent)
    paused = await agent.run("go")
    request = TypeAdapter(DeferredToolRequests).dump_python(paused.output, mode="json")
    answer = answered(asked("pydantic_ai", request), saying)
    results = TypeAdapter(DeferredToolResults).validate_python(answer)
    done = await agent.run(message_history=paused.all_messages(), deferred_tool_results=results)
    (returned,) = [part.content for part in done.new_messages()[0].parts if part.part_kind == "tool-return"]
    said = {"approve": "booked MU5138", "edit": "booked CA1858", "reject": "Too costly", "expired": NOBODY}
    assert (done.output, returned) == ("done", said[saying])


@pytest.mark.parametrize(
    ("saying", "heard"), [("respond", "a room"), ("reject", "Too costly"), ("expired", NOBODY)]
)
async def test_pydantic_ai_takes_a_persons_answer_for_a_call(saying, heard):
    agent = Agent(
        scene.model([("ask_hotel", {"name": "Lotus"}, "c1")], "done"), output_type=[str, DeferredToolRequests]
    )
    scene.equip(agent)
    paused = await agent.run("go")
    request = TypeAdapter(DeferredToolRequests).dump_python(paused.output, mode="json")
    answer = answered(
        asked("pydantic_ai", request), saying, **({"answer": "a room"} if saying == "respond" else {})
    )
    results = TypeAdapter(DeferredToolResults).validate_python(answer)
    done = await agent.run(message_history=paused.all_messages(), deferred_tool_results=results)
    (returned,) = [part.content for part in done.new_messages()[0].parts if part.part_kind == "tool-return"]
    assert heard in str(returned)


@pytest.mark.parametrize("saying", SAYINGS)
def test_ag_ui_resumes_by_id(saying):
    call = {"name": "book", "args": {"flight": "MU5138"}}
    wanted = AgUiInterrupt(
        id="int-1", reason="tool_call", message="Book MU5138?", tool_call_id="c1", metadata={"toolCall": call}
    )
    package = asked("ag_ui", wanted.model_dump(mode="json", by_alias=True, exclude_none=True))
    answer = answered(package, saying)
    run = {"threadId": "t", "runId": "r", "state": {}, "messages": [], "tools": [], "context": []}
    (entry,) = RunAgentInput.model_validate({**run, "forwardedProps": {}, "resume": answer}).resume
    assert (entry.interrupt_id, entry.status) == ("int-1", "cancelled" if saying == "expired" else "resolved")
    assert (entry.payload.get("approved"), entry.payload.get("editedArgs")) == {
        "approve": (True, None), "edit": (True, {"flight": "CA1858"}), "reject": (False, None), "expired": (None, None),
    }[saying]  # fmt: skip


FORM = mcp.ElicitRequestFormParams(
    message="Which seat?", requested_schema={"type": "object", "properties": {"seat": {"type": "string"}}}
)
ADDRESS = mcp.ElicitRequestURLParams(message="Sign in", url="https://airline.example", elicitation_id="e-1")


@pytest.mark.parametrize(
    ("saying", "action"), [("respond", "accept"), ("reject", "decline"), ("expired", "cancel")]
)
@pytest.mark.parametrize("wanted", [FORM, ADDRESS])
def test_mcp_elicitation_is_accepted_declined_or_cancelled(wanted, saying, action):
    package = asked("mcp", wanted.model_dump(mode="json", by_alias=True, exclude_none=True))
    more = {"answer": {"seat": "12A"}} if saying == "respond" else {}
    result = mcp.ElicitResult.model_validate(answered(package, saying, **more))
    assert result.action == action
    assert result.content == (more["answer"] if more and wanted is FORM else None)


def test_mcp_input_that_a_call_requires_is_answered_under_its_key():
    request = mcp.ElicitRequest(params=FORM)
    required = mcp.InputRequiredResult(input_requests={"seat": request}, request_state="opaque")
    package = asked("mcp", required.model_dump(mode="json", by_alias=True, exclude_none=True))
    answer = answered(package, "respond", answer={"seat": "12A"})
    params = mcp.CallToolRequestParams.model_validate({"name": "book", **answer, "requestState": "opaque"})
    assert params.input_responses["seat"].content == {"seat": "12A"}
