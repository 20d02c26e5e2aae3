"""The REST doors of cases. Wire models in, one call, wire models out."""

from escalations.api.agents import Acknowledgement, Cancel, Case, Cases, Outcome
from escalations.api.people import Assignee, Bulk, Claim, Decision, Notes, Redelivery, Resolution, Snooze

__all__ = [
    "Acknowledgement",
    "Assignee",
    "Bulk",
    "Cancel",
    "Case",
    "Cases",
    "Claim",
    "Decision",
    "Notes",
    "Outcome",
    "Redelivery",
    "Resolution",
    "Snooze",
]
