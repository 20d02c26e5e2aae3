"""What pages get: frozen values that carry everything their page shows."""

from escalations.queries.shapes.chains import ChainStepView, ChainView
from escalations.queries.shapes.decisions import DecisionView, FinalStepView, LosingAttempt, Milestone
from escalations.queries.shapes.packages import (
    AttemptView,
    DoneStepView,
    FailureView,
    PlanStepView,
    ProposalView,
)
from escalations.queries.shapes.page import CasePage, DraftView, HistoryLine, NoteView, VotesView, VoteView
from escalations.queries.shapes.rows import QueueRow, RailCounts, RelatedCase

__all__ = [
    "AttemptView",
    "CasePage",
    "ChainStepView",
    "ChainView",
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
    "VoteView",
    "VotesView",
]
