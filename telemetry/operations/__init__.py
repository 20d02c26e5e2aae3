"""Every write of telemetry, one function per verb."""

from telemetry.operations.agents import create_agent, issue_key, revoke_key, set_owner, set_webhook

__all__ = ["create_agent", "issue_key", "revoke_key", "set_owner", "set_webhook"]
