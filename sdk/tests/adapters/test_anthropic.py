"""The adapter for Anthropic's messages against the package itself: its client, its types, and a scripted API."""

import json
from typing import Any

import httpx2
from anthropic import AsyncAnthropic
from anthropic.types import Message, ToolParam, ToolResultBlockParam
from pydantic import TypeAdapter

import switchboard as sb
from switchboard.adapters import anthropic

TURNS = (
    [
        {"type": "text", "text": "Both at once."},
        {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"city": "Tokyo"}},
        {"type": "tool_use", "id": "toolu_2", "name": "pay", "input": {"amount": 5}},
    ],
    [{"type": "text", "text": "done"}],
)


def client(asked: list[dict[str, Any]]) -> AsyncAnthropic:
    """The real client, whose API answers from the script."""
    turns = iter(TURNS)

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(request.content))
        content = next(turns)
        stop = "tool_use" if len(content) > 1 else "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        said = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content}
        return httpx2.Response(200, json={**said, "stop_reason": stop, "stop_sequence": None, "usage": usage})

    transport = httpx2.MockTransport(answer)
    return AsyncAnthropic(api_key="k", http_client=httpx2.AsyncClient(transport=transport), max_retries=0)


async def test_a_conversation_through_the_real_client(box: sb.Toolbox) -> None:
    asked: list[dict[str, Any]] = []
    tools: Any = anthropic.tools(box)
    TypeAdapter(list[ToolParam]).validate_python(tools)
    messages: list[Any] = [{"role": "user", "content": "go"}]
    async with box.session(goal="g") as session, client(asked) as api:
        while True:
            reply: Message = await api.messages.create(
                model="m", max_tokens=100, tools=tools, messages=messages
            )
            messages.append({"role": "assistant", "content": reply.content})
            if reply.stop_reason != "tool_use":
                break
            results = await anthropic.results(session, reply.content)
            TypeAdapter(list[ToolResultBlockParam]).validate_python(results)
            messages.append({"role": "user", "content": results})
    first, second = asked[1]["messages"][-1]["content"]
    assert (first["tool_use_id"], second["tool_use_id"], second["is_error"]) == ("toolu_1", "toolu_2", True)
    assert json.loads(first["content"])["data"] == ["Tokyo"]
    assert reply.content[0].text == "done"
