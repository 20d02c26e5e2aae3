"""Teams and their rota on the wire."""

from datetime import date, datetime, time
from typing import Annotated, Self

from pydantic import Field, model_validator

from console.kit.wire import Inbound, Outbound
from escalations.contract.words import Name, When

Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
Day = Annotated[str, Field(pattern=r"^(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]


class SetTeam(Inbound):
    """The body of `PUT /api/v1/teams/{name}`. The first person is on call from the handover on or after `since`."""

    people: Annotated[tuple[Name, ...], Field(max_length=50)]
    zone: Annotated[str, Field(min_length=1, max_length=64)] = "UTC"
    weekday: Annotated[int, Field(ge=0, le=6)] = 0
    handover: Clock = "09:00"
    since: Day | None = None

    @model_validator(mode="after")
    def _once_each(self) -> Self:
        """Refuse a person twice, and a day that no calendar has."""
        if len(set(self.people)) != len(self.people):
            raise ValueError("everybody stands in the order once")
        if self.since is not None:
            date.fromisoformat(self.since)
        return self

    @property
    def hands_over_at(self) -> time:
        """Give the wall-clock time of the handover."""
        return time.fromisoformat(self.handover)


class AddOverride(Inbound):
    """The body of `POST /api/v1/teams/{name}/overrides`: somebody stands in for a while."""

    person: Name
    starts_at: When
    ends_at: When

    @model_validator(mode="after")
    def _has_a_length(self) -> Self:
        """Refuse what ends before it begins."""
        if self.ends_at <= self.starts_at:
            raise ValueError("ends_at lies after starts_at")
        return self


class Override(Outbound):
    """Somebody who stands in."""

    id: int
    person: str
    starts_at: datetime
    ends_at: datetime
    by: str


class Team(Outbound):
    """A team as it stands; `on_call` is everybody, whoever is on call now first."""

    name: str
    version: int
    people: tuple[str, ...]
    zone: str
    weekday: int
    handover: str
    since: date
    on_call: tuple[str, ...]
    next_handover: datetime | None
    overrides: tuple[Override, ...]


class Teams(Outbound):
    """Every team, by name."""

    teams: tuple[Team, ...]
