"""Policies on the wire: what a rule matches and what follows; a rule that matches by nothing is refused."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from console.kit.wire import Inbound, Outbound
from escalations.contract.words import Json, Line, Name, Object, When
from escalations.vocabulary import Comparison, OnTimeout, PolicyMode, Severity, Trigger
from telemetry.vocabulary import FailureClass

LISTED = 100


class ArgumentCondition(Inbound):
    """What an argument must be. Path and value are never left out: a missing one would mean "any"."""

    path: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^.\x00]+(\.[^.\x00]+)*$")]
    is_: Annotated[Comparison, Field(alias="is")]
    value: Json

    @model_validator(mode="after")
    def _fits(self) -> Self:
        """Refuse a value that the comparison cannot use, or one that stands for nothing."""
        numeric = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        match self.is_:
            case Comparison.MORE_THAN | Comparison.LESS_THAN if not numeric:
                raise ValueError("more_than and less_than take a number")
            case Comparison.ONE_OF if not (isinstance(self.value, list) and 0 < len(self.value) <= LISTED):
                raise ValueError("one_of takes a list with something in it")
            case Comparison.LIKE if not isinstance(self.value, str) or not self.value.strip("*"):
                raise ValueError("like takes a pattern that is more than a wildcard")
            case _ if self.value is None or self.value == "":
                raise ValueError("an empty value is no condition")
        return self


class PolicyMatch(Inbound):
    """Which cases; everything that is said must hold. `tool` may hold `*`."""

    tool: Name | None = None
    agent: Name | None = None
    trigger: Trigger | None = None
    failure_class: Annotated[FailureClass | None, Field(alias="class")] = None
    severity: Severity | None = None
    risk: Line | None = None
    arguments: Annotated[tuple[ArgumentCondition, ...], Field(min_length=1, max_length=20)] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        """Refuse a match that would hold for everything."""
        said = (self.agent, self.trigger, self.failure_class, self.severity, self.risk, self.arguments)
        if not any(said) and not (self.tool or "").strip("*"):
            raise ValueError("a rule names at least one thing that a case must be")
        return self


class PolicyEffect(Inbound):
    """What follows for the case."""

    queue: Line | None = None
    deadline_s: Annotated[int, Field(ge=60, le=30 * 24 * 3600)] | None = None
    on_timeout: OnTimeout | None = None
    quorum: Annotated[int, Field(ge=1, le=5)] = 1
    four_eyes: bool = False
    require_claim: bool = False

    @model_validator(mode="after")
    def _never_approves(self) -> Self:
        """Refuse a default that approves: a policy knows no plan, so it cannot know that it only reads."""
        if self.on_timeout is OnTimeout.APPROVE:
            raise ValueError("a policy's default never approves")
        return self


class SetPolicy(Inbound):
    """The body of `PUT /api/v1/policies/{name}`."""

    mode: PolicyMode = PolicyMode.ON
    position: Annotated[int, Field(ge=-100_000, le=100_000)] = 100
    match: PolicyMatch
    effect: PolicyEffect
    expires_at: When | None = None


class Policy(Outbound):
    """A rule as it stands."""

    name: str
    version: int
    mode: PolicyMode
    position: int
    match: Object
    effect: Object
    owner: str
    expires_at: datetime | None
    changed_at: datetime


class Policies(Outbound):
    """Every rule, in the order they are asked."""

    policies: tuple[Policy, ...]


class BacktestHit(Outbound):
    """A case of history that a rule would have fallen upon, and what was decided then."""

    id: UUID
    ref: str
    title: str
    decision: str
    execution: str
    decided_by: str


class Backtest(Outbound):
    """What a rule would have done: of so many cases looked at, these."""

    looked_at: int
    hits: tuple[BacktestHit, ...]


class VoteKept(Outbound):
    """The answer to a decision that needs more than one person: kept, and not decided yet."""

    votes: int
    quorum: int
    disputed: bool
