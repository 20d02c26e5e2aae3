"""Whose agent it is: what the four-eyes rule of decisions asks."""

from telemetry.models import Agent


def agent_owner(*, agent_id: str) -> str:
    """Give the person's id as text, blank where the agent has no owner or is not known."""
    if not agent_id.isdecimal():
        return ""
    owner = Agent.objects.filter(pk=int(agent_id)).values_list("owner_id", flat=True).first()
    return "" if owner is None else str(owner)
