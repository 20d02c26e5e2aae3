"""Every read of telemetry: frozen dataclasses out, never querysets."""

from telemetry.queries.agents import agent_named, agent_names, agent_page, agents, books, keys_by_prefix
from telemetry.queries.calls import CallFilter, call, call_of_agent, calls, trace

__all__ = [
    "CallFilter",
    "agent_named",
    "agent_names",
    "agent_page",
    "agents",
    "books",
    "call",
    "call_of_agent",
    "calls",
    "keys_by_prefix",
    "trace",
]
