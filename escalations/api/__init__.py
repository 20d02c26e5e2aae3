"""The REST doors of cases. Wire models in, one call, wire models out."""

from escalations.api.agents import Acknowledgement, Answer, Cancel, Case, Cases, CasesInKind, Outcome
from escalations.api.people import Assignee, Bulk, Claim, Decision, Notes, Redelivery, Resolution, Snooze
from escalations.api.policies import Backtest, Policies, Policy

__all__ = [
    "Acknowledgement",
    "Answer",
    "Assignee",
    "Backtest",
    "Bulk",
    "Cancel",
    "Case",
    "Cases",
    "CasesInKind",
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
