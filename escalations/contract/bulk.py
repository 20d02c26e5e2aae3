"""One thing done to many cases: what is asked, and one answer for each."""

from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from console.kit.wire import Inbound, Outbound
from escalations.contract.words import Key, Line, Name, Text, When


class BulkVerb(StrEnum):
    """What can be done to many cases at once. Approving means each one's own recommended plan, unchanged."""

    CLAIM = "claim"
    RELEASE = "release"
    SNOOZE = "snooze"
    ASSIGN = "assign"
    APPROVE = "approve"
    REJECT = "reject"


class BulkItem(Inbound):
    """One case, at the revision that was looked at."""

    id: Annotated[UUID, Field(strict=False)]
    base_revision: Annotated[int, Field(ge=1)] = 1
    proposal_id: Name | None = None


class Bulk(Inbound):
    """The body of `POST /api/v1/escalations/bulk`. The same key again decides nothing twice."""

    key: Annotated[Key, Field(max_length=200)]
    verb: BulkVerb
    items: Annotated[tuple[BulkItem, ...], Field(min_length=1, max_length=500)]
    message: Text | None = None
    reason: Line | None = None
    until: When | None = None
    person: Name | None = None


class BulkResult(Outbound):
    """What became of one case; `code` and `detail` are the refusal's where it was not done.

    `VOTE_KEPT` beside `done` says that somebody else has to agree before it is decided.
    """

    id: UUID
    done: bool
    code: str
    detail: str
    extra: dict[str, Any]


class BulkAnswer(Outbound):
    """One answer for each, in the order asked."""

    results: tuple[BulkResult, ...]
