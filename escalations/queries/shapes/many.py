"""Many cases at once: each with its plan as it would be approved, and what was decided on the same cause before."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from console.kit.refusal import Refused
from escalations.queries.shapes.packages import ProposalView
from escalations.queries.shapes.rows import QueueRow
from escalations.vocabulary import Action, Decision, Execution, Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """One case of many: its own plan, what its agent takes, and why not where something cannot be done."""

    row: QueueRow
    plan: ProposalView | None  # the recommended one, or the only one
    allowed: tuple[Action, ...]
    quorum: int
    why_not: Mapping[Verb, Refused | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedent:
    """What was decided about an earlier case of the same cause, and what came of it."""

    ref: str
    title: str
    agent_name: str
    decision: Decision
    execution: Execution
    by_name: str
    decided_at: datetime
    plan: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CausePage:
    """Every open case of one cause, and what was decided on it before."""

    fingerprint: str
    tool: str
    failure_class: str
    code: str
    trigger: str
    cases: tuple[Reviewed, ...]
    more: int  # open ones beyond those listed
    agents: tuple[str, ...]
    since: datetime
    latest: datetime
    precedents: tuple[Precedent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """One thing to filter by: its name in the filter, and its commonest values with how many cases each has."""

    name: str
    values: tuple[tuple[str, int], ...]
