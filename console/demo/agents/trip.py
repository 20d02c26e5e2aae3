"""One request under way: what was wished, the session that works on it, and what it has so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import switchboard as sb
from console.demo.agents import words


@dataclass
class Waiting:
    """The cases of an agent that wait for people, and how many there may be at most."""

    most: int = 40
    cases: set[str] = field(default_factory=set)

    @property
    def too_many(self) -> bool:
        """Whether the last one that came has no room."""
        return len(self.cases) > self.most


@dataclass
class Trip:
    """The facts a script collects and the plans for people are made from; every one came out of a tool's result."""

    wish: words.Wish
    session: sb.Session
    at: datetime
    flight: str = ""
    price: str = ""
    hold: str = ""
    seat: str = ""
    points: int = 0
    payment: str = ""
    party: tuple[str, ...] = ()
    ended: sb.Settled | None = None
    waiting: Waiting = field(default_factory=Waiting)

    @property
    def id(self) -> str:
        """The request's number."""
        return str(self.wish["trip"])

    @property
    def traveller(self) -> str:
        """Whom it is for."""
        return str(self.wish["traveller"])

    @property
    def chinese(self) -> bool:
        """Whether people wrote it in Chinese."""
        return words.is_chinese(self.wish)

    def due(self, minutes: float) -> str:
        """A deadline that many minutes after the trip began, RFC 3339; no two trips are due together."""
        spread = timedelta(seconds=sum(self.id.encode()) % 240)
        return (self.at + timedelta(minutes=minutes) + spread).isoformat(timespec="seconds")


def more(severity: str, expires_at: str, **rest: Any) -> Mapping[str, Any]:
    """What goes into a case beside its plans."""
    return {"severity": severity, "expires_at": expires_at, **rest}
