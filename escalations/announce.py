"""Tells pages and waiting agents that something moved, once it is certain. Hints carry ids and revisions only."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.db import transaction

from console.kit import hints

PEOPLE = "people.cases"
Message = dict[str, object]
_near: Callable[[object], None] | None = None


def agent_group(agent_id: str) -> str:
    """Name the group that an agent's sockets and long polls listen to."""
    return f"agent.{agent_id}"


def case_changed(*, case_id: UUID, version: int) -> None:
    """Hint at the new version of a case to every page, after commit."""
    hint: Message = {"type": "hint", "topic": "cases", "id": str(case_id), "revision": version}
    transaction.on_commit(lambda: hints.send(PEOPLE, hint), robust=True)


def rules_changed(*, at: datetime) -> None:
    """Hint at changed policies, teams or pauses to every page, after commit."""
    revision = int(at.timestamp() * 1000)
    hint: Message = {"type": "hint", "topic": "policies", "id": "all", "revision": revision}
    transaction.on_commit(lambda: hints.send(PEOPLE, hint), robust=True)


def group_joined(*, fingerprint: str, revision: int) -> None:
    """Hint at a newcomer among the cases of one cause to every page, after commit."""
    hint: Message = {"type": "hint", "topic": "groups", "id": fingerprint, "revision": revision}
    transaction.on_commit(lambda: hints.send(PEOPLE, hint), robust=True)


def decision_made(
    *, agent_id: str, case_id: UUID, decision_id: UUID, deliver_after: datetime, written: object
) -> None:
    """Hint at a decision to whoever waits for it, after commit.

    Whoever waits in this very process gets the row as it was just written, without reading it again.
    """
    hint: Message = {
        "type": "decision.made",
        "escalation_id": str(case_id),
        "decision_id": str(decision_id),
        "deliver_after": deliver_after.isoformat(),
    }
    transaction.on_commit(lambda: _tell(agent_id, hint, written), robust=True)


def hand_over_to(near: Callable[[object], None] | None) -> None:
    """Let this process's own waiters be told of what was just written; None ends it."""
    global _near  # noqa: PLW0603  # one waiting room per process
    _near = near


def _tell(agent_id: str, hint: Message, written: object) -> None:
    if _near is not None:
        _near(written)
    hints.send(agent_group(agent_id), hint)
