"""Every read. Values come out, never querysets."""

from escalations.queries.case_page import case_id, case_page
from escalations.queries.cases import one, page
from escalations.queries.delivery import (
    Waiting,
    answer_in_kind,
    case_of_decision,
    decision_about,
    out_for,
    owned,
)
from escalations.queries.export import decision_lines
from escalations.queries.policies import backtest, listed_policies
from escalations.queries.preview import Preview, preview
from escalations.queries.queue import of_trace, queue, rail_counts
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
    VotesView,
    VoteView,
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
    "Preview",
    "ProposalView",
    "QueueRow",
    "RailCounts",
    "RelatedCase",
    "VoteView",
    "VotesView",
    "Waiting",
    "answer_in_kind",
    "backtest",
    "case_id",
    "case_of_decision",
    "case_page",
    "decision_about",
    "decision_lines",
    "listed_policies",
    "of_trace",
    "one",
    "out_for",
    "owned",
    "page",
    "preview",
    "queue",
    "rail_counts",
]
