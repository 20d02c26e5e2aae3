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
from escalations.queries.groups import groups
from escalations.queries.learning import shadow_report, suggestions
from escalations.queries.of_tools import tool_cases, tool_cases_of_traces, traces_with_cases
from escalations.queries.pauses import pauses
from escalations.queries.policies import backtest, listed_policies
from escalations.queries.preview import Preview, preview
from escalations.queries.queue import of_trace, open_counts, queue, rail_counts
from escalations.queries.secrets import secret_shown
from escalations.queries.shapes import (
    AttemptView,
    CasePage,
    ChainStepView,
    ChainView,
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
from escalations.queries.teams import on_call, team, teams

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
    "groups",
    "listed_policies",
    "of_trace",
    "on_call",
    "one",
    "open_counts",
    "out_for",
    "owned",
    "page",
    "pauses",
    "preview",
    "queue",
    "rail_counts",
    "secret_shown",
    "shadow_report",
    "suggestions",
    "team",
    "teams",
    "tool_cases",
    "tool_cases_of_traces",
    "traces_with_cases",
]
