"""What pages are given about breakers: frozen values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from telemetry.vocabulary import (
    AckStatus,
    BreakerReason,
    BreakerScope,
    BreakerState,
    CommandVerb,
    FleetState,
)


@dataclass(frozen=True, slots=True)
class InstanceState:
    """A breaker in one instance. A stale one is silent: its state is what it last said, not what it is."""

    instance: str
    agent: str
    state: BreakerState
    since: datetime
    stale: bool
    silent_s: float
    heartbeat_at: datetime
    open_until: datetime | None
    reason: BreakerReason | None
    missing: tuple[tuple[int, int], ...]  # sequence numbers that never came
    detail: dict[str, Any]  # window, thresholds, class_counts, trigger as last reported


@dataclass(frozen=True, slots=True)
class AckRow:
    """What one instance did with a command."""

    instance: str
    status: AckStatus
    state: BreakerState | None
    at: datetime
    detail: str


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command, who gave it and why, and who has confirmed it."""

    command_id: UUID
    number: int
    breaker: str
    verb: CommandVerb
    instances: tuple[str, ...] | None
    reason: str
    by: str
    issued_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    addressed: int  # live instances it is meant for
    acks: tuple[AckRow, ...]

    @property
    def applied(self) -> int:
        """Count the instances that did it."""
        return sum(ack.status is AckStatus.APPLIED for ack in self.acks)

    @property
    def waits(self) -> bool:
        """Say whether an instance that it is meant for has not answered."""
        return len(self.acks) < self.addressed


@dataclass(frozen=True, slots=True)
class Place:
    """A breaker on the board; `place` never changes."""

    place: int
    name: str
    scope: BreakerScope
    fleet: FleetState
    counts: dict[BreakerState, int]  # live instances
    live: int
    stale: int
    instances: tuple[InstanceState, ...]
    since: datetime | None  # of the newest change of a live instance
    incomplete: bool
    command: CommandRow | None  # in force
    pending: CommandRow | None  # sent, and not answered by all
    calls: int  # sums over the windows of the live instances
    failed: int
    not_permitted: int
    refused: int  # calls that were not permitted, ever


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the history. `flags`: late, gap, mismatch, clock."""

    id: int
    event_id: UUID
    at: datetime
    received_at: datetime
    breaker: str
    instance: str
    agent: str
    from_state: BreakerState
    to_state: BreakerState
    reason: BreakerReason
    boot_id: str
    seq: int
    flags: tuple[str, ...]
    detail: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Board:
    """The whole panel and its latest changes."""

    at: datetime
    places: tuple[Place, ...]
    changes: tuple[Change, ...]
    live: int
    stale: int

    @property
    def not_closed(self) -> tuple[Place, ...]:
        """Give the places that do not simply let calls through; one that nobody has any more is none of them."""
        return tuple(
            place for place in self.places if place.instances and place.fleet is not FleetState.CLOSED
        )
