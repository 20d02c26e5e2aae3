"""Tools for the adapters' tests; those against a real package are collected where it is installed (`.venv-real`)."""

import importlib.util
from typing import Any

import pytest

import switchboard as sb
from switchboard.testing import FakeConsole

PACKAGES = {
    "test_langchain.py": "langgraph",
    "test_openai_agents.py": "agents",
    "test_pydantic_ai.py": "pydantic_ai",
    "test_anthropic.py": "anthropic",
    "test_mcp.py": "mcp",
}
collect_ignore = [name for name, package in PACKAGES.items() if importlib.util.find_spec(package) is None]


@pytest.fixture
def box(console: FakeConsole) -> sb.Toolbox:
    """A search that finds what it is asked for, and a payment that is refused."""
    toolbox = sb.Toolbox(console.client(), clock=console.clock)

    @toolbox.tool(effect="read")
    async def search(city: str) -> list[str]:
        """Find flights."""
        return [] if city == "Tokio" else [city]

    @toolbox.tool(effect="write")
    async def pay(amount: int) -> dict[str, int]:
        """Pay."""
        raise sb.HttpFailure(403)

    return toolbox


@pytest.fixture
def booking(console: FakeConsole) -> Any:
    """A toolbox that books, and the list of what was booked."""
    toolbox, booked = sb.Toolbox(console.client(), clock=console.clock), []

    @toolbox.tool(effect="write")
    async def book(flight: str) -> str:
        """Book."""
        booked.append(flight)
        return f"booked {flight}"

    return toolbox, booked
