"""What people are offered: plans of tool calls that have not been made, and the agent's own words about a failure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from switchboard.result import Result
from switchboard.vocabulary import Trigger

Kind = Literal["compensate", "retry", "alternate", "degrade", "continue"]


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A tool call that has not been made. `run_if` is (step id, "succeeded" | "empty" | "failed")."""

    tool: str
    args: Mapping[str, Any]
    id: str = ""
    note: str | None = None
    depends_on: Sequence[str] = ()
    run_if: tuple[str, str] | None = None
    compensates: str | None = None
    reconciles: str | None = None
    idempotency_key: str | None = None
    args_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan for people to approve, edit or reject."""

    id: str
    kind: Kind
    title: str
    steps: Sequence[PlanStep] = field(default_factory=tuple)
    rationale: str = ""
    risk: str = ""
    recommended: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What the agent itself puts before people about a failure, in place of the kit's own title and plans.

    `more` goes into the case as it is: severity, expires_at, on_timeout, allowed, context …
    """

    title: str
    proposals: Sequence[Plan] = ()
    question: Mapping[str, Any] | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


# The first argument is the Session, which stands above this module.
Offers = Callable[[Any, Result, Trigger], Offer | None]
