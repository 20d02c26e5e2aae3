"""An MCP client and server, both with their own spans, under the span of an agent's tool."""

import json
from typing import Any

from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from opentelemetry.trace import set_tracer_provider

MADE: list[Any] = []


def server() -> MCPServer:
    made = MCPServer("flights")

    @made.tool()
    def search_flights(to: str) -> list[dict[str, str]]:
        return [{"flight": "MU5138", "to": to}]

    @made.tool()
    def pay(amount: int) -> dict[str, Any]:
        raise ValueError("card declined")

    return made


async def run(provider: Any) -> None:
    """A call under an agent's own tool span, one that the server says failed, and one it does not understand."""
    tracer = provider.get_tracer("trip-booker")
    told = {"gen_ai.operation.name": "execute_tool", "gen_ai.agent.name": "booker"}
    async with Client(server(), mode="legacy") as client:
        with tracer.start_as_current_span(
            "invoke_agent booker",
            attributes={"gen_ai.agent.name": "booker", "gen_ai.conversation.id": "trip-77"},
        ):
            for name, args in (("search_flights", {"to": "PEK"}), ("pay", {"amount": 5})):
                more = {**told, "gen_ai.tool.name": name, "gen_ai.tool.call.arguments": json.dumps(args)}
                with tracer.start_as_current_span(f"execute_tool {name}", attributes=more):
                    await client.call_tool(name, args)
            await client.call_tool("pay", {"amount": "much"})
            try:
                await client.session.send_ping()
            except MCPError as refused:
                raise AssertionError("the server does not answer") from refused


def use(provider: Any) -> None:
    """Make the MCP package write to this provider: it asks for the global one, which can be set but once."""
    if not MADE:
        set_tracer_provider(provider)
        MADE.append(provider)
