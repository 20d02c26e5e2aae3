"""What crosses the wire, as the agent sees it."""

from .base import Failure, ItemResult
from .breakers import (
    BreakerCommand,
    BreakerEvent,
    BreakerSnapshot,
    Cause,
    Obeyed,
    Thresholds,
    Verb,
    Window,
)
from .calls import Attempt, Call, Evidence, ExceptionSeen, Limit, Recovery
from .cases import (
    BreakerSeen,
    CaseBody,
    CaseFailure,
    DoneStep,
    OnTimeout,
    OutcomeBody,
    PlannedStep,
    Proposal,
    Question,
    RunIf,
    StepResult,
)
from .decisions import Action, By, DecidedStep, Decision, Kind

__all__ = [
    "Action",
    "Attempt",
    "BreakerCommand",
    "BreakerEvent",
    "BreakerSeen",
    "BreakerSnapshot",
    "By",
    "Call",
    "CaseBody",
    "CaseFailure",
    "Cause",
    "DecidedStep",
    "Decision",
    "DoneStep",
    "Evidence",
    "ExceptionSeen",
    "Failure",
    "ItemResult",
    "Kind",
    "Limit",
    "Obeyed",
    "OnTimeout",
    "OutcomeBody",
    "PlannedStep",
    "Proposal",
    "Question",
    "Recovery",
    "RunIf",
    "StepResult",
    "Thresholds",
    "Verb",
    "Window",
]
