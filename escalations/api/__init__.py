"""The REST doors of cases. Wire models in, one call, wire models out."""

from escalations.api.agents import Acknowledgement, Cancel, Case, Cases, Outcome
from escalations.api.people import Claim, Decision, Notes, Resolution

__all__ = [
    "Acknowledgement",
    "Cancel",
    "Case",
    "Cases",
    "Claim",
    "Decision",
    "Notes",
    "Outcome",
    "Resolution",
]
