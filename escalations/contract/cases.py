"""A case on its way out: to the agent that owns it and to people over REST."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from console.kit.wire import Outbound
from escalations.contract.decisions import Decision
from escalations.contract.words import Object
from escalations.vocabulary import Decision as DecisionState
from escalations.vocabulary import Execution, Severity, Trigger


class Escalation(Outbound):
    """A case without its package. `ref` is what people call it, `version` moves with every change."""

    id: UUID
    ref: str
    key: str
    agent_id: str
    agent: str
    revision: int
    version: int
    decision: DecisionState
    execution: Execution
    title: str
    trigger: Trigger
    severity: Severity
    tool: str
    failure_class: Annotated[str, Field(serialization_alias="class")]
    code: str
    trace_id: str
    opened_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    holder: str | None
    lease_until: datetime | None


class EscalationWhole(Escalation):
    """A case with the package of its current revision and the decision about it, where there is one."""

    package: Object
    flags: tuple[str, ...]
    current_decision: Decision | None


class Escalations(Outbound):
    """A page of cases; `after` leads on, and is null at the end."""

    escalations: tuple[Escalation, ...]
    after: str | None


class Claimed(Outbound):
    """The answer to a claim: who has it until when, and from whom it was taken over."""

    id: UUID
    ref: str
    holder: str
    lease_until: datetime
    taken_over_from: str | None
