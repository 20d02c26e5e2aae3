"""The adapter for MCP against the package itself: a real client and server, in one process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp import types as wire
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

import switchboard as sb
from switchboard.adapters import mcp
from switchboard.testing import FakeConsole

EFFECTS = {"search": "read", "pay": "write", "book": "write"}


class Seat(BaseModel):
    """What the server wants to know."""

    seat: str


def server(booked: list[str]) -> MCPServer:
    made = MCPServer("flights")

    @made.tool()
    def search(city: str) -> list[str]:
        return [city]

    @made.tool()
    def pay(amount: int) -> dict[str, int]:
        raise ToolError("card declined")

    @made.tool()
    async def book(flight: str, ctx: Context) -> str:
        answer = await ctx.elicit("Which seat?", Seat)
        booked.append(flight)
        return f"{flight} {answer.data.seat}"

    return made


@asynccontextmanager
async def registered(console: FakeConsole) -> AsyncIterator[Any]:
    """A toolbox of the server's tools, and what was booked."""
    booked: list[str] = []

    async def elicited(_context: Any, _params: Any) -> wire.ElicitResult:
        return wire.ElicitResult(action="accept", content={"seat": "12A"})

    box = sb.Toolbox(console.client(), clock=console.clock)
    async with Client(server(booked), mode="legacy", elicitation_callback=elicited) as client:
        await mcp.register(box, client, effects=EFFECTS)
        yield box, booked


async def test_structured_content_is_the_data_and_the_schema_is_checked_first(console: FakeConsole) -> None:
    async with registered(console) as (box, _):
        good = await box.call("search", {"city": "Tokyo"})
        bad = await box.call("search", {"town": "Tokyo"})
    assert good.data == {"result": ["Tokyo"]}
    assert {error.field: error.code for error in bad.error.errors} == {
        "city": "MISSING", "town": "UNKNOWN_FIELD",
    }  # fmt: skip


async def test_an_error_of_the_server_is_a_failure_with_its_words(console: FakeConsole) -> None:
    """Nothing in it proves that nothing was done, and paying is a write."""
    async with registered(console) as (box, _):
        result = await box.call("pay", {"amount": 5})
    assert result.error is not None
    assert "card declined" in result.error.message
    assert result.error.class_ == "unknown_outcome"


async def test_a_question_of_the_server_is_answered_by_the_client_while_the_call_waits(
    console: FakeConsole,
) -> None:
    async with registered(console) as (box, booked):
        result = await box.call("book", {"flight": "MU5138"})
    assert (result.data, booked) == ({"result": "MU5138 12A"}, ["MU5138"])


@pytest.mark.parametrize(("tool", "args"), [("search", {"city": "Tokyo"}), ("pay", {"amount": 5})])
async def test_a_result_is_one_that_the_package_takes(
    box: sb.Toolbox, tool: str, args: dict[str, Any]
) -> None:
    answer = mcp.call_tool_result(await box.call(tool, args), has_output_schema=True)
    result = wire.CallToolResult.model_validate(answer)
    assert result.is_error is (tool == "pay")
    assert (result.structured_content is None) is (tool == "pay")
