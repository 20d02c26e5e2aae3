"""What queries about notices give."""

from dataclasses import dataclass
from datetime import datetime, time
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One notice as a message tells it."""

    notice_id: UUID
    topic: str
    subject_key: str
    urgency: str
    at: datetime
    words: dict[str, str]
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message that was taken to be sent: to where, in which language, telling what."""

    message_id: UUID
    attempt_id: int
    channel_id: int
    kind: str
    address: str
    secret: str
    language: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelLine:
    """A channel as its page shows it. An address that is a secret is cut short."""

    id: int
    version: int
    kind: str
    name: str
    address: str
    person_id: int | None
    language: str
    topics: tuple[str, ...]
    queues: tuple[str, ...]
    digest_minutes: int
    configured: bool
    made_at: datetime
    paused_at: datetime | None
    fault: str
    failing_since: datetime | None
    last_ok_at: datetime | None
    next_at: datetime | None
    pending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """When a person wants to be left alone, and in which zone that is meant."""

    quiet_from: time | None = None
    quiet_until: time | None = None
    urgent_at_once: bool = True
    zone: str


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """One try to send, and how it ended; `ended_at` is None where a crash cut it off or it still runs."""

    started_at: datetime
    ended_at: datetime | None
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryLine:
    """One line of the log."""

    id: UUID
    item: Item
    channel_id: int
    channel_name: str
    channel_kind: str
    channel_removed: bool
    person_id: int | None
    person_name: str
    state: str
    fault: str
    made_at: datetime
    due_at: datetime | None
    finished_at: datetime | None
    tries: int
    message_id: UUID | None
    attempts: tuple[AttemptLine, ...] = ()
