"""The rows of lists and the numbers beside them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from escalations.vocabulary import Decision, Execution, Severity, Trigger


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """One case in a list. `holder_name` is blank when nobody has a live claim at the time asked for."""

    id: UUID
    ref: str
    title: str
    tool: str
    failure_class: str
    code: str
    agent_id: str
    agent_name: str
    trace_id: str
    trigger: Trigger
    severity: Severity
    revision: int
    version: int
    decision: Decision
    execution: Execution
    holder_id: str
    holder_name: str
    lease_until: datetime | None
    assignee_name: str
    snoozed_until: datetime | None
    opened_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    decided_by: str
    fingerprint: str
    same_cause: int  # open cases with this fingerprint, itself among them
    recommended: str  # title of the recommended plan, or of the only one; blank where there is neither
    needs_attention: bool

    @property
    def is_open(self) -> bool:
        """Say whether somebody can still decide it."""
        return self.decision in {Decision.OPEN, Decision.DISPUTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class RailCounts:
    """The numbers beside the rail's entries and the queue's tabs; each equals its list's length."""

    open: int
    unclaimed: int
    mine: int
    attention: int
    snoozed: int
    unreported: int = 0
    due_soon: int = 0  # of the open ones, whoever has them


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedCase:
    """Another case of the same cause."""

    id: UUID
    ref: str
    title: str
    agent_name: str
    decision: Decision
    execution: Execution
    holder_name: str
    decided_by: str
    opened_at: datetime
    decided_at: datetime | None
