"""The REST doors of cases. Wire models in, one call, wire models out."""

from escalations.api.agents import Acknowledgement, Cancel, Case, Cases, Outcome
from escalations.api.people import Assignee, Bulk, Claim, Decision, Notes, Redelivery, Resolution, Snooze
from escalations.api.policies import Backtest, Policies, Policy

__all__ = [
    "Acknowledgement",
    "Assignee",
    "Backtest",
    "Bulk",
    "Cancel",
    "Case",
    "Cases",
    "Claim",
    "Decision",
    "Notes",
    "Outcome",
    "Policies",
    "Policy",
    "Redelivery",
    "Resolution",
    "Snooze",
]
