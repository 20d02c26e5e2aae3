"""Report tool calls, recover where the tool is called, hand over what cannot be recovered, wait for people."""

from switchboard import wire
from switchboard._breakers import BreakerLink
from switchboard._canonical import canonical, digest
from switchboard._cases import AsyncCase, Case
from switchboard._client import AsyncClient, Client
from switchboard._errors import (
    BadAnswer,
    Closed,
    Conflict,
    DigestMismatch,
    IdempotencyConflict,
    Misconfigured,
    NotFound,
    Refused,
    SwitchboardError,
    Unauthorized,
    Undecided,
    Unreachable,
    Unsendable,
)
from switchboard._ids import uuid7
from switchboard._orders import ReportsItself
from switchboard._queue import Stats
from switchboard._quiet import loud
from switchboard._recorder import Recorder
from switchboard._records import trace
from switchboard.breaker import BreakerPolicy
from switchboard.classify import raise_for
from switchboard.failure import Deferred, FieldError, HttpFailure, SessionLost, ToolError, ToolFailure
from switchboard.fallback import Alternate, Degrade, FreshCache, StaleCache, Static
from switchboard.handover import OpenCase
from switchboard.history import Final
from switchboard.journal import SessionBusy
from switchboard.limits import Limits
from switchboard.plans import Offer, Plan, PlanStep
from switchboard.policy import Policy
from switchboard.result import Attempt, Firing, Item, Items, Recovery, Result
from switchboard.rule_file import load_rules
from switchboard.rules import Repair, Rule, Rules, When
from switchboard.session import Session
from switchboard.settlement import Settled
from switchboard.tool import Context, Tool, Undo
from switchboard.toolbox import Toolbox
from switchboard.usefulness import Likelihoods
from switchboard.wire import (
    Call,
    CaseFailure,
    DecidedStep,
    Decision,
    DoneStep,
    OnTimeout,
    PlannedStep,
    Proposal,
    Question,
    RunIf,
    StepResult,
    resolve,
)

# `__all__` is every public name, sorted.
__all__ = [
    "Alternate",
    "AsyncCase",
    "AsyncClient",
    "Attempt",
    "BadAnswer",
    "BreakerLink",
    "BreakerPolicy",
    "Call",
    "Case",
    "CaseFailure",
    "Client",
    "Closed",
    "Conflict",
    "Context",
    "DecidedStep",
    "Decision",
    "Deferred",
    "Degrade",
    "DigestMismatch",
    "DoneStep",
    "FieldError",
    "Final",
    "Firing",
    "FreshCache",
    "HttpFailure",
    "IdempotencyConflict",
    "Item",
    "Items",
    "Likelihoods",
    "Limits",
    "Misconfigured",
    "NotFound",
    "Offer",
    "OnTimeout",
    "OpenCase",
    "Plan",
    "PlanStep",
    "PlannedStep",
    "Policy",
    "Proposal",
    "Question",
    "Recorder",
    "Recovery",
    "Refused",
    "Repair",
    "ReportsItself",
    "Result",
    "Rule",
    "Rules",
    "RunIf",
    "Session",
    "SessionBusy",
    "SessionLost",
    "Settled",
    "StaleCache",
    "Static",
    "Stats",
    "StepResult",
    "SwitchboardError",
    "Tool",
    "ToolError",
    "ToolFailure",
    "Toolbox",
    "Unauthorized",
    "Undecided",
    "Undo",
    "Unreachable",
    "Unsendable",
    "When",
    "canonical",
    "digest",
    "load_rules",
    "loud",
    "raise_for",
    "resolve",
    "trace",
    "uuid7",
    "wire",
]
