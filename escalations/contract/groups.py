"""Cases of one cause, decided at once."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from console.kit.wire import Inbound, Outbound
from escalations.contract.bulk import BulkItem, BulkResult
from escalations.contract.words import Json, Key, Line, Text
from escalations.vocabulary import Action


class DecideGroup(Inbound):
    """The body of `POST /api/v1/groups/{fingerprint}/decision`: the cases that were looked at, each at its revision.

    Approving means each one's own recommended plan. The same key again decides nothing twice.
    """

    key: Annotated[Key, Field(max_length=200)]
    action: Action
    items: Annotated[tuple[BulkItem, ...], Field(min_length=1, max_length=500)]
    answer: Json = None
    message: Text | None = None
    reason: Line | None = None

    @model_validator(mode="after")
    def _for_all(self) -> Self:
        """Refuse an edit: what is right for one case's arguments is not for another's."""
        if self.action is Action.EDIT:
            raise ValueError("a group is approved, rejected or answered; edit one case at a time")
        return self


class Newcomer(Outbound):
    """A case of the same cause that was not among those decided."""

    id: UUID
    ref: str
    title: str
    opened_at: datetime


class GroupAnswer(Outbound):
    """One result for each case, and who has joined since they were looked at."""

    results: tuple[BulkResult, ...]
    newcomers: tuple[Newcomer, ...]


class Group(Outbound):
    """Undecided cases of one cause."""

    fingerprint: str
    tool: str
    failure_class: Annotated[str, Field(serialization_alias="class")]
    code: str
    cases: int
    held: int
    agents: int
    oldest_at: datetime
    newest_at: datetime
    expires_at: datetime


class Groups(Outbound):
    """Every cause with more than one undecided case, the largest first."""

    groups: tuple[Group, ...]
