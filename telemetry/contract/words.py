"""What people say over REST about spikes, causes, tools and calls, and what they are told."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from console.kit.wire import Inbound, Outbound
from telemetry.contract.calls import Code, Id, Name
from telemetry.vocabulary import Advice, FailureClass, SpikeKind

Reason = Annotated[str, Field(min_length=3, max_length=400)]


class Spike(Outbound):
    """Something that is not as usual, as it was when it opened."""

    id: int
    kind: SpikeKind
    tool: str
    failure_class: FailureClass | None = Field(default=None, serialization_alias="class")
    advice: Advice
    opened_at: AwareDatetime
    closed_at: AwareDatetime | None = None
    observed: int
    calls: int
    expected: float
    ratio: float | None = None
    probability: float | None = None
    window_min: int | None = None
    causes: list[str] = []
    agents: list[str] = []
    acknowledged_by: str = ""
    muted: bool = False


class Spikes(Outbound):
    """What is open, and what was open within the last day."""

    spikes: list[Spike]


class MuteSpikes(Inbound):
    """Silence over a tool, a class of it, or a class of all tools, until a moment and for a reason."""

    tool: Name | None = None
    failure_class: FailureClass | None = Field(default=None, alias="class")
    until: AwareDatetime
    reason: Reason


class SetCauseRule(Inbound):
    """Failures whose message holds a text are one cause of this title, and of this class where one is said."""

    contains: Annotated[str, Field(min_length=3, max_length=200)]
    title: Annotated[str, Field(min_length=1, max_length=160)]
    tool: Name | None = None
    failure_class: FailureClass | None = Field(default=None, alias="class")
    code: Code | None = None


class CauseRule(Outbound):
    """A rule that somebody made."""

    id: int
    contains: str
    title: str
    tool: str
    failure_class: FailureClass | None = Field(default=None, serialization_alias="class")
    code: str
    by: str
    made_at: AwareDatetime


class CauseRules(Outbound):
    """The rules in force, the newest first."""

    rules: list[CauseRule]


class Made(Outbound):
    """What was made, by its id."""

    id: int


class LabelCall(Inbound):
    """What the failure of one call really was."""

    agent: Name
    call_id: Id
    failure_class: FailureClass = Field(alias="class")
    code: Code | None = None


class JudgeNotFound(Inbound):
    """Whether "not found" is an empty answer of a tool; null leaves it to the rules of the house."""

    empty: bool | None
