"""Decisions on the wire: what people say, what the agent gets, how it acknowledges and reports."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from console.kit.wire import Inbound, Outbound
from escalations.contract.words import Digest, Json, Key, Line, Name, Object, Text
from escalations.vocabulary import (
    Action,
    DeciderKind,
    DecisionKind,
    Execution,
    Reported,
    RunIf,
    StepStatus,
)
from telemetry.vocabulary import FailureClass, ItemStatus


class StepChoice(Inbound):
    """What a person says about one step: whether it runs, and with which arguments, replaced as a whole.

    `tool` makes another call of it, where the case's policy lets it become that one.
    """

    id: Name
    run: bool = True
    args: Object | None = None
    tool: Name | None = None


class Decide(Inbound):
    """The body of a person's `POST /api/v1/escalations/{id}/decision`.

    `answer` counts as given whenever the key is there: false, 0, "" and null are answers. `break_glass` is the reason
    for deciding against the case's own rules, for whom its policy allows that.
    """

    decision_key: Key
    base_revision: Annotated[int, Field(ge=1)]
    action: Action
    proposal_id: Name | None = None
    steps: Annotated[tuple[StepChoice, ...], Field(max_length=100)] | None = None
    answer: Json = None
    message: Text | None = None
    reason: Line | None = None
    break_glass: Annotated[Text, Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _speaks_once_of_each(self) -> Self:
        """Refuse two words about one step: whichever counted, the other would be lost without a trace."""
        ids = [each.id for each in self.steps or ()]
        if len(set(ids)) < len(ids):
            raise ValueError("each step is spoken of once")
        return self

    @property
    def answered(self) -> bool:
        """Say whether an answer was sent at all."""
        return "answer" in self.model_fields_set


class Acknowledge(Inbound):
    """The body of `POST …/{id}/ack`; `fence` is the journal's, a lower one comes from a stale process."""

    decision_id: Annotated[UUID, Field(strict=False)]
    args_digest: Digest
    fence: Annotated[int, Field(ge=0, le=2**53)] | None = None


class StepFailure(Inbound):
    """Why a step or an item failed."""

    failure_class: Annotated[FailureClass | None, Field(alias="class")] = None
    code: Line | None = None
    field: Line | None = None
    constraint: Text | None = None
    received: Json = None
    hint: Text | None = None
    message: Text | None = None


class ItemResult(Inbound):
    """How one item of a batch ended."""

    key: Name
    status: ItemStatus
    failure: StepFailure | None = None


class StepResult(Inbound):
    """What one decided step really did."""

    id: Name
    status: StepStatus
    call_id: Name | None = None
    result: Json = None
    failure: StepFailure | None = None
    items: Annotated[tuple[ItemResult, ...], Field(max_length=2_000)] | None = None


class ReportOutcome(Inbound):
    """The body of `POST …/{id}/outcome`, idempotent by `report_id`."""

    report_id: Key
    decision_id: Annotated[UUID, Field(strict=False)]
    args_digest: Digest
    status: Reported
    steps: Annotated[tuple[StepResult, ...], Field(max_length=200)] = ()


class By(Outbound):
    """Who decided."""

    kind: DeciderKind
    name: str


class RunCondition(Outbound):
    """The condition of a final step, spelled as it is digested."""

    model_config = ConfigDict(populate_by_name=True)

    step: str
    ended: Annotated[RunIf, Field(alias="is")]


class FinalStep(Outbound):
    """One step of the plan as decided. It is to be made only where `run` is true."""

    id: str
    tool: str
    args: Object
    depends_on: tuple[str, ...]
    run_if: RunCondition | None
    idempotency_key: str
    run: bool
    edited: bool = False
    side_effect: str = "write"
    reversible: bool = False
    compensates: str | None = None
    reconciles: str | None = None


class Decision(Outbound):
    """The one row that socket, long poll and webhook read: what was decided about one revision of a case.

    `answer` is there only when one was given. `args_digest` is over the final steps, in order.
    """

    kind: DecisionKind
    decision_id: UUID
    escalation_id: UUID
    revision: int
    seq: int
    action: Action | None
    by: By | None
    proposal_id: str | None
    steps: tuple[FinalStep, ...]
    answer: Json = None
    message: str
    reason: str = ""
    args_digest: str
    decided_at: datetime


class AnswerInKind(Outbound):
    """A decision as the family that asked writes it."""

    kind: str
    decision_id: UUID
    args_digest: str
    answer: Json


class Acknowledged(Outbound):
    """The answer to an acknowledgement."""

    decision_id: UUID
    escalation_id: UUID
    args_digest: str
    fence: int | None
    acknowledged_at: datetime


class OutcomeAccepted(Outbound):
    """The answer to an outcome report; `duplicate` when this report was stored before."""

    report_id: str
    escalation_id: UUID
    decision_id: UUID
    execution: Execution
    duplicate: bool
