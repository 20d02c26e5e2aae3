"""Policies on the wire: what a rule matches and what follows; a rule that matches by nothing is refused."""

import re
from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from console.kit.clean import SAFE_INTEGER
from console.kit.wire import Inbound, Outbound
from escalations.contract.chains import AutoDecision, ChainStep, check_chain
from escalations.contract.words import Json, Line, Name, Object, When
from escalations.vocabulary import Comparison, OnTimeout, PolicyMode, Severity, Trigger
from telemetry.vocabulary import FailureClass

LISTED = 100
PATH = r"^(/[^\x00]+|[^./\x00][^.\x00]*(\.[^.\x00]+)*)$"
NUMERIC = frozenset({Comparison.MORE_THAN, Comparison.LESS_THAN, Comparison.AT_LEAST, Comparison.AT_MOST})
WILD = re.compile(r"\[!?\]?[^\]]*\]|[*?]")  # what a pattern leaves open: `[…]`, `*`, `?`
Before = Annotated[int, Field(ge=30, le=7 * 24 * 3600)]
Role = Annotated[str, Field(pattern=r"^[a-z]{1,40}$")]


def _names_something(pattern: str | None) -> bool:
    """Say whether a pattern has a character that must be there: `?*` and `[!~]*` are wildcards as `*` is."""
    return WILD.sub("", pattern or "") != ""


class ArgumentCondition(Inbound):
    """What an argument must be. Path and value are never left out: a missing one would mean "any".

    `path` is dotted (`fare.price`) or a JSON pointer (`/fare/price/0`).
    """

    path: Annotated[str, Field(min_length=1, max_length=200, pattern=PATH)]
    is_: Annotated[Comparison, Field(alias="is")]
    value: Json

    @model_validator(mode="after")
    def _fits(self) -> Self:
        """Refuse a value that the comparison cannot use, or one that stands for nothing."""
        numeric = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        within = isinstance(self.value, int | float) and abs(self.value) <= SAFE_INTEGER  # NaN is not
        match self.is_:
            case one if one in NUMERIC and not numeric:
                raise ValueError(f"{one} takes a number")
            case one if one in NUMERIC and not within:
                raise ValueError(f"{one} takes a finite number within 2^53")
            case Comparison.ONE_OF if not (isinstance(self.value, list) and 0 < len(self.value) <= LISTED):
                raise ValueError("one_of takes a list with something in it")
            case Comparison.LIKE if not isinstance(self.value, str) or not _names_something(self.value):
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
        if not any(said) and not _names_something(self.tool):
            raise ValueError("a rule names at least one thing that a case must be")
        return self


class PolicyEffect(Inbound):
    """What follows for the case."""

    queue: Annotated[str, Field(max_length=120)] | None = None
    deadline_s: Annotated[int, Field(ge=60, le=30 * 24 * 3600)] | None = None
    on_timeout: OnTimeout | None = None
    quorum: Annotated[int, Field(ge=1, le=5)] = 1
    four_eyes: bool = False
    require_claim: bool = False
    chain: Annotated[tuple[ChainStep, ...], Field(max_length=20)] = ()
    remind_before_s: Annotated[tuple[Before, ...], Field(max_length=5)] = ()
    tools_may_become: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    break_glass: Annotated[tuple[Role, ...], Field(max_length=5)] = ()
    decide: AutoDecision | None = None

    @model_validator(mode="after")
    def _never_approves(self) -> Self:
        """Refuse a default that approves: a policy knows no plan, so it cannot know that it only reads."""
        if self.on_timeout is OnTimeout.APPROVE:
            raise ValueError("a policy's default never approves")
        if self.decide is not None and self.quorum > 1:
            raise ValueError("where several have to agree no policy decides")
        if any(not _names_something(tool) for tool in self.tools_may_become):
            raise ValueError("tools_may_become names tools; a wildcard alone would be every tool")
        check_chain(self.chain)
        return self


class SetPolicy(Inbound):
    """The body of `PUT /api/v1/policies/{name}`."""

    mode: PolicyMode = PolicyMode.ON
    position: Annotated[int, Field(ge=-100_000, le=100_000)] = 100
    match: PolicyMatch
    effect: PolicyEffect
    expires_at: When | None = None

    @model_validator(mode="after")
    def _decides_narrowly(self) -> Self:
        """Refuse a rule that decides by itself for more than a few calls, or for ever."""
        if self.effect.decide is None:
            return self
        if not _names_something(self.match.tool) or not self.match.arguments:
            raise ValueError("a rule that decides names a tool and at least one argument")
        if self.expires_at is None:
            raise ValueError("a rule that decides says when it expires")
        return self


class SwitchPolicy(Inbound):
    """The body of `PUT /api/v1/policies/{name}/mode`: one click on, to watching, or off."""

    mode: PolicyMode


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
