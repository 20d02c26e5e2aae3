"""Every read. Values come out, never querysets.

`queue(view=, person_id=, at=, search=, after=, limit=) -> Page[QueueRow]`
`rail_counts(person_id=, at=) -> RailCounts`
`case_page(ref=, actor=, at=) -> CasePage`
`case_id(ref=) -> UUID`
"""

from escalations.queries.shapes import (
    AttemptView,
    CasePage,
    DecisionView,
    DoneStepView,
    DraftView,
    FailureView,
    FinalStepView,
    HistoryLine,
    LosingAttempt,
    Milestone,
    NoteView,
    PlanStepView,
    ProposalView,
    QueueRow,
    RailCounts,
    RelatedCase,
)

__all__ = [
    "AttemptView",
    "CasePage",
    "DecisionView",
    "DoneStepView",
    "DraftView",
    "FailureView",
    "FinalStepView",
    "HistoryLine",
    "LosingAttempt",
    "Milestone",
    "NoteView",
    "PlanStepView",
    "ProposalView",
    "QueueRow",
    "RailCounts",
    "RelatedCase",
]
