"""Everything on a case's page."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from console.kit.refusal import Refused
from escalations.queries.shapes.chains import ChainView
from escalations.queries.shapes.decisions import DecisionView, LosingAttempt, Milestone
from escalations.queries.shapes.packages import DoneStepView, FailureView, ProposalView
from escalations.queries.shapes.rows import QueueRow, RelatedCase
from escalations.vocabulary import Action, Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One audit entry of the case."""

    seq: int
    verb: str
    actor_kind: str
    actor_name: str
    source: str
    at: datetime
    detail: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """What one person wrote for the next."""

    by_id: str
    by_name: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftView:
    """What the asking person has begun; `stale` when it was made on an earlier revision."""

    revision: int
    body: Mapping[str, object]
    saved_at: datetime
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteView:
    """One person's vote, shown once nobody can be swayed by it any more."""

    by_name: str
    action: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesView:
    """How the votes on this revision stand; `votes` stays empty until they are settled or disputed."""

    quorum: int
    given: int
    mine: str  # the asking person's own action, blank before they voted
    votes: tuple[VoteView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """Everything on a case's page, in reading order. `why_not` has the refusal for each verb, None where allowed."""

    row: QueueRow
    key: str
    goal: str
    trace_id: str
    session_id: str
    attempt: int
    predecessor: RelatedCase | None
    on_timeout: str
    on_timeout_proposal: str
    allowed: tuple[Action, ...]
    failure: FailureView | None
    steps: tuple[DoneStepView, ...]
    standing_effects: int
    proposals: tuple[ProposalView, ...]
    response_schema: Mapping[str, object] | None
    context: Mapping[str, object]
    flags: tuple[str, ...]
    decision: DecisionView | None
    earlier_decisions: tuple[DecisionView, ...]
    losing_attempts: tuple[LosingAttempt, ...]
    milestones: tuple[Milestone, ...]
    history: tuple[HistoryLine, ...]
    notes: tuple[NoteView, ...]
    draft: DraftView | None
    related: tuple[RelatedCase, ...]
    votes: VotesView
    policy: str  # the policy the case was opened under, as `name v3`; blank without one
    ruled: Mapping[str, object]  # what the case keeps of that policy
    rule_match: Mapping[
        str, object
    ]  # which cases that policy means; empty where it was changed since, or is gone
    deadline_asked: datetime | None  # by the agent; None where it named none
    queue: str
    chain: ChainView | None
    remind_at: datetime | None
    auto_at: datetime | None  # when the case's policy decides by itself, unless somebody does before
    paused: str  # who holds automatic decisions back and why, blank where nobody does
    break_glass: tuple[str, ...]  # the rules this person would break by deciding: four_eyes, quorum, …
    tools_may_become: tuple[str, ...]  # tools that an edit may put in a step's place
    resolved_at: datetime | None
    resolved_by: str
    why_not: Mapping[Verb, Refused | None]
