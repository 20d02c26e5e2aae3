"""Automatic decisions on the wire: holding them back, and rules learned from what people decided."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from console.kit.wire import Inbound, Outbound
from escalations.contract.policies import Backtest
from escalations.contract.words import Line, Name, Object, When
from escalations.vocabulary import Paused, PolicyMode

Reason = Annotated[Line, Field(min_length=1)]


class HoldBack(Inbound):
    """The body of `PUT /api/v1/pauses/{kind}/{name}`: why, and until when; for good where nothing is said."""

    reason: Reason
    until: When | None = None


class Pause(Outbound):
    """Automatic decisions that are held back."""

    kind: Paused
    name: str
    reason: str
    by: str
    since: datetime
    until: datetime | None


class Pauses(Outbound):
    """Everything that is held back."""

    pauses: tuple[Pause, ...]


class Suggestion(Outbound):
    """A rule that people have followed already, with its evidence. `would_have` holds it against history."""

    id: str
    name: str
    match: Object
    effect: Object
    cases: tuple[str, ...]
    people: tuple[str, ...]
    since: datetime
    until: datetime
    would_have: Backtest


class Suggestions(Outbound):
    """Every rule that could be tried."""

    suggestions: tuple[Suggestion, ...]


class TakeSuggestion(Inbound):
    """The body of `POST /api/v1/policies/suggestions/{id}`; it watches first unless something else is said."""

    name: Name | None = None
    mode: PolicyMode = PolicyMode.SHADOW
    days: Annotated[int, Field(ge=1, le=365)] = 30


class DismissSuggestion(Inbound):
    """The body of `DELETE /api/v1/policies/suggestions/{id}`."""

    reason: Reason


class ShadowCase(Outbound):
    """One case that a watching rule fell upon, and what people decided."""

    id: UUID
    ref: str
    would: str
    decision: str
    agreed: bool | None


class ShadowReport(Outbound):
    """How a rule that watches would have done: of so many cases, so many as people decided, so many otherwise."""

    name: str
    cases: int
    agreed: int
    contrary: int
    undecided: int
    latest: tuple[ShadowCase, ...]
