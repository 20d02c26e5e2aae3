"""The REST doors of cases. Wire models in, one call, wire models out."""

from escalations.api.agents import Acknowledgement, Answer, Cancel, Case, Cases, CasesInKind, Outcome
from escalations.api.automatic import (
    Pause,
    Pauses,
    PolicyMode,
    Shadow,
    Suggestion,
    Suggestions,
    WebhookSecret,
)
from escalations.api.groups import GroupDecision, Groups, Rest
from escalations.api.people import Assignee, Bulk, Claim, Decision, Notes, Redelivery, Resolution, Snooze
from escalations.api.policies import Backtest, Policies, Policy
from escalations.api.teams import Override, Overrides, Team, Teams
from escalations.api.webhooks import AgentWebhook, ChainPosts, ChainRedelivery

__all__ = [
    "Acknowledgement",
    "AgentWebhook",
    "Answer",
    "Assignee",
    "Backtest",
    "Bulk",
    "Cancel",
    "Case",
    "Cases",
    "CasesInKind",
    "ChainPosts",
    "ChainRedelivery",
    "Claim",
    "Decision",
    "GroupDecision",
    "Groups",
    "Notes",
    "Outcome",
    "Override",
    "Overrides",
    "Pause",
    "Pauses",
    "Policies",
    "Policy",
    "PolicyMode",
    "Redelivery",
    "Resolution",
    "Rest",
    "Shadow",
    "Snooze",
    "Suggestion",
    "Suggestions",
    "Team",
    "Teams",
    "WebhookSecret",
]
