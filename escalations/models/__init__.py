"""Cases, their revisions, the one decision of each, outcomes, notes, drafts, policies and teams.

Agents and people are kept by id and name, without foreign keys: what was decided must stay readable, and must never
block or follow a deletion.
"""

from escalations.models.automatic import ChainPost, Dismissal, Pause
from escalations.models.cases import Case, Revision
from escalations.models.counters import Counter
from escalations.models.decisions import Decision, Outcome
from escalations.models.notes import Draft, Note
from escalations.models.policies import Policy, Vote
from escalations.models.teams import Override, Team

__all__ = [
    "Case",
    "ChainPost",
    "Counter",
    "Decision",
    "Dismissal",
    "Draft",
    "Note",
    "Outcome",
    "Override",
    "Pause",
    "Policy",
    "Revision",
    "Team",
    "Vote",
]
