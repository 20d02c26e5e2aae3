"""The keys of the demo's agents: made once, kept in a file that only its owner can read, made again when revoked."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from console.kit.actor import SYSTEM
from telemetry import operations, queries
from telemetry.auth import principal_of

LABEL = "demo"


def keys(names: Iterable[str], *, kept: Path, at: datetime) -> dict[str, str]:
    """A key for each agent that the console accepts now; agents that are missing are made."""
    known = _read(kept)
    good = {name: _good(known.get(name, "")) or _made(name, at=at) for name in names}
    if good != known:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.touch(mode=0o600)
        kept.write_text(json.dumps(good, indent=1))
    return good


def _good(key: str) -> str:
    """The key itself where it still opens the console, else nothing."""
    return key if key and principal_of(f"Bearer {key}") is not None else ""


def _made(name: str, *, at: datetime) -> str:
    agent_id = queries.agent_named(name)
    if agent_id is None:
        agent_id = operations.create_agent(name=name, by=SYSTEM, at=at)
    return operations.issue_key(agent_id=agent_id, label=LABEL, by=SYSTEM, at=at)


def _read(kept: Path) -> Mapping[str, str]:
    try:
        found = json.loads(kept.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
