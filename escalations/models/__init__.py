"""Cases, their revisions, the one decision of each, outcomes, notes and drafts.

Agents and people are kept by id and name, without foreign keys: what was decided must stay readable, and must never
block or follow a deletion.
"""

from escalations.models.cases import Case, Revision
from escalations.models.counters import Counter
from escalations.models.decisions import Decision, Outcome
from escalations.models.notes import Draft, Note
from escalations.models.policies import Policy, Vote

__all__ = ["Case", "Counter", "Decision", "Draft", "Note", "Outcome", "Policy", "Revision", "Vote"]
