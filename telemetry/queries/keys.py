"""Who stands behind an agent's key, remembered for a few seconds: the hot path asks for every request."""

import hashlib
import threading
import time
from dataclasses import dataclass

from channels.db import database_sync_to_async

from console.kit.actor import Actor, ActorKind
from console.kit.http import NotSignedIn
from telemetry.models import AgentKey

REMEMBER_S = 3.0  # a key revoked in another process works this much longer; in this one it stops at once
MOST = 10_000


@dataclass(frozen=True, slots=True)
class AgentPrincipal:
    """An agent that has shown its key; what DRF calls the user of the request."""

    agent_id: int
    key_id: int
    name: str
    owner_id: int | None

    @property
    def actor(self) -> Actor:
        """Give the one who acts."""
        return Actor(ActorKind.AGENT, str(self.agent_id), self.name)

    @property
    def is_authenticated(self) -> bool:
        """Say what DRF's permissions ask."""
        return True


_known: dict[str, tuple[float, AgentPrincipal | None]] = {}
_lock = threading.Lock()


def key_hash(key: str) -> str:
    """Give what is stored of a key. It holds 188 random bits, so one round of SHA-256 is enough."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def key_of(header: str) -> str | None:
    """Give the key of an `Authorization` header, or None where it carries none of ours."""
    kind, _, key = header.partition(" ")
    return key if kind.lower() == "bearer" and key.startswith("sb_") and len(key) < 100 else None


def remembered(key: str) -> tuple[bool, AgentPrincipal | None]:
    """Give (known, principal) without asking the database."""
    found = _known.get(key_hash(key))
    if found is None or found[0] < time.monotonic():
        return False, None
    return True, found[1]


def principal_of_key(key: str) -> AgentPrincipal | None:
    """Give the agent behind a live key, or None."""
    known, principal = remembered(key)
    if known:
        return principal
    hashed = key_hash(key)
    row = AgentKey.objects.select_related("agent").filter(key_hash=hashed, revoked_at__isnull=True).first()
    if row is not None:
        principal = AgentPrincipal(row.agent_id, row.pk, row.agent.name, row.agent.owner_id)
    with _lock:
        if len(_known) >= MOST:
            _known.clear()
        _known[hashed] = (time.monotonic() + REMEMBER_S, principal)
    return principal


def principal_of(header: str) -> AgentPrincipal | None:
    """Give the agent behind an `Authorization` header, or None. Asks the database at most every few seconds."""
    key = key_of(header)
    return principal_of_key(key) if key else None


async def aprincipal_of(header: str) -> AgentPrincipal | None:
    """Give the same on an event loop, without a thread where the key is remembered."""
    key = key_of(header)
    if key is None:
        return None
    known, principal = remembered(key)
    if known:
        return principal
    found: AgentPrincipal | None = await database_sync_to_async(principal_of_key)(key)
    return found


def stranger(header: str) -> NotSignedIn:
    """Make the refusal of a request whose header opens nothing."""
    if key_of(header):
        return NotSignedIn("This key is not known or was revoked.")
    return NotSignedIn("Show an agent's key: `Authorization: Bearer sb_…`.")


def forget_keys() -> None:
    """Ask the database again from now on."""
    with _lock:
        _known.clear()
