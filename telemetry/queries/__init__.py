"""Every read of telemetry: frozen dataclasses out, never querysets."""

from telemetry.queries.agents import agent_named, agent_names, agent_page, agents, books, keys_by_prefix

__all__ = ["agent_named", "agent_names", "agent_page", "agents", "books", "keys_by_prefix"]
