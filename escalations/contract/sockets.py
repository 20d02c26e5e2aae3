"""The messages of `/ws/agent/v1`, both ways."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, JsonValue

from console.kit.wire import Inbound, Outbound
from escalations.contract.decisions import Decision
from escalations.contract.words import Digest


class Subscribe(Inbound):
    """Wait for these cases; everything unacknowledged of them comes at once, in `seq` order."""

    type: Literal["subscribe"]
    escalation_ids: Annotated[
        tuple[Annotated[UUID, Field(strict=False)], ...], Field(min_length=1, max_length=1_000)
    ]


class Ack(Inbound):
    """Acknowledge a decision; what is acknowledged is not sent again."""

    type: Literal["ack"]
    decision_id: Annotated[UUID, Field(strict=False)]
    args_digest: Digest
    fence: Annotated[int, Field(ge=0, le=2**53)] | None = None


class Hello(Outbound):
    """The first message from the console."""

    type: Literal["hello"] = "hello"
    server_time: datetime


class Decided(Decision):
    """A decision, pushed."""

    type: Literal["decision"] = "decision"


class Refusal(Outbound):
    """What the console would not do, in the shape of every refusal; `about` repeats what it answers."""

    type: Literal["refusal"] = "refusal"
    code: str
    detail: str
    errors: tuple[dict[str, JsonValue], ...] = ()
    about: dict[str, JsonValue] = Field(default_factory=dict)
