"""What pages are given about agents: frozen values."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key as people see it."""

    id: int
    shown: str  # sb_k3Qd1234…
    label: str
    made_at: datetime
    made_by: str
    last_used_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str


@dataclass(frozen=True, slots=True)
class Books:
    """received = stored + corrected + duplicate + rejected, and whether that is so."""

    received: int
    stored: int
    corrected: int
    duplicate: int
    rejected: int
    reasons: tuple[tuple[str, int], ...]

    @property
    def balance(self) -> bool:
        """Say whether everything received is accounted for."""
        return self.received == self.stored + self.corrected + self.duplicate + self.rejected


@dataclass(frozen=True, slots=True)
class LedgerMinute:
    """The books of one minute."""

    at: datetime
    books: Books


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent with its keys and its books of the last 24 hours."""

    id: int
    name: str
    owner_id: int | None
    made_at: datetime
    last_seen_at: datetime | None
    webhook_url: str
    live_keys: int
    books: Books
    keys: tuple[KeyRow, ...]


@dataclass(frozen=True, slots=True)
class AgentPage:
    """One agent, its keys, its books per minute of the last hour, and every minute of 24 h that has any, newest first."""

    agent: AgentRow
    minutes: tuple[LedgerMinute, ...]
    ledger: tuple[LedgerMinute, ...]
    instances: tuple[str, ...]
