"""The SDK in an agent's own environment, under two frameworks, with a running console: a refused call goes to a person."""

import asyncio
import json

import httpx2
import pytest
from anthropic import AsyncAnthropic
from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

import switchboard as sb
from switchboard.adapters import anthropic, langchain


@pytest.fixture
def client(console, agent, tmp_path, monkeypatch):
    monkeypatch.setenv("SWITCHBOARD_SPOOL", str(tmp_path / "spool"))
    made = sb.Client(console.url, key=agent.key)
    yield made
    made.close()


class Bank:
    """Refuses payments until somebody has let them through."""

    def __init__(self, client):
        self.open, self.paid = False, []
        self.box = sb.Toolbox(client)

        @self.box.tool(effect="write")
        async def pay(amount: int) -> dict[str, int]:
            """Pay."""
            if not self.open:
                raise sb.HttpFailure(403)
            self.paid.append(amount)
            return {"paid": amount}


async def by_langgraph(session):
    """Make the call through LangGraph's node; give what the model hears of it."""
    call = {"name": "pay", "args": {"amount": 5}, "id": "c1", "type": "tool_call"}
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda _: {"messages": [AIMessage(content="", tool_calls=[call])]})
    graph.add_node("tools", ToolNode(langchain.tools(session)))
    graph.add_edge(START, "model")
    graph.add_edge("model", "tools")
    graph.add_edge("tools", END)
    state = await graph.compile().ainvoke({"messages": []})
    return state["messages"][-1].content


async def by_anthropic(session):
    """Make the call as Anthropic's API asks for it; give what the model hears of it."""
    content = [{"type": "tool_use", "id": "toolu_1", "name": "pay", "input": {"amount": 5}}]
    said = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content}
    said |= {
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=said))
    async with AsyncAnthropic(api_key="k", http_client=httpx2.AsyncClient(transport=transport)) as api:
        asked = [{"role": "user", "content": "go"}]
        tools = anthropic.tools(session.box)
        reply = await api.messages.create(model="m", max_tokens=99, tools=tools, messages=asked)
    (block,) = await anthropic.results(session, reply.content)
    return block["content"]


@pytest.mark.parametrize("made", [by_langgraph, by_anthropic])
async def test_a_refused_call_is_decided_by_a_person_carried_out_and_reported(console, client, made):
    bank = Bank(client)
    async with bank.box.session(goal="Pay the hotel") as session:
        heard = json.loads(await made(session))
        assert heard["verdict"] == "UNRECOVERABLE"
        (case,) = session.cases
        settling = asyncio.create_task(session.settle(case))
        found = await asyncio.to_thread(console.case, case.id)
        assert found["package"]["failure"]["tool"] == "pay"
        plan = next(each for each in found["package"]["proposals"] if each["kind"] == "retry")
        bank.open = True
        await asyncio.to_thread(console.decide, found, proposal_id=plan["id"])
        settled = await settling
    assert (settled.action, settled.status, bank.paid) == ("approve", "executed", [5])
    assert console.case(case.id)["execution"] == "executed"
