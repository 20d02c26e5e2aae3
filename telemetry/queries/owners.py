"""Whose agent it is and where its decisions are posted to: what escalations asks of an agent."""

from dataclasses import dataclass

from telemetry.models import Agent


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where an agent wants its decisions posted, and what they are signed with."""

    url: str
    secret: str


def agent_owner(*, agent_id: str) -> str:
    """Give the person's id as text, blank where the agent has no owner or is not known."""
    if not agent_id.isdecimal():
        return ""
    owner = Agent.objects.filter(pk=int(agent_id)).values_list("owner_id", flat=True).first()
    return "" if owner is None else str(owner)


def agent_webhook(*, agent_id: str) -> Webhook | None:
    """Give an agent's webhook, None where it has none."""
    if not agent_id.isdecimal():
        return None
    found = Agent.objects.filter(pk=int(agent_id)).exclude(webhook_url="")
    row = found.values_list("webhook_url", "webhook_secret").first()
    return Webhook(*row) if row else None
