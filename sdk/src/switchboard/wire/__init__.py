"""What crosses the wire, as the agent sees it."""

from switchboard.vocabulary import BreakerState
from switchboard.wire.base import Failure, ItemResult
from switchboard.wire.breakers import (
    BreakerCommand,
    BreakerEvent,
    BreakerSnapshot,
    Cause,
    Obeyed,
    Thresholds,
    Verb,
    Window,
)
from switchboard.wire.calls import Attempt, Call, Evidence, ExceptionSeen, Limit, Recovery
from switchboard.wire.cases import (
    AttemptSeen,
    BreakerSeen,
    CaseFailure,
    DoneStep,
    OnTimeout,
    Package,
    PlannedStep,
    Proposal,
    Question,
    RunIf,
    StepResult,
)
from switchboard.wire.decisions import Action, By, DecidedStep, Decision, Kind, resolve

__all__ = [
    "Action",
    "Attempt",
    "AttemptSeen",
    "BreakerCommand",
    "BreakerEvent",
    "BreakerSeen",
    "BreakerSnapshot",
    "BreakerState",
    "By",
    "Call",
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
    "Package",
    "PlannedStep",
    "Proposal",
    "Question",
    "Recovery",
    "RunIf",
    "StepResult",
    "Thresholds",
    "Verb",
    "Window",
    "resolve",
]
