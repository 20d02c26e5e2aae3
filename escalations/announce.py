"""Tells pages and waiting agents that something moved, once it is certain. Hints carry ids and revisions only."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from console.kit import hints

PEOPLE = "people.cases"
Message = dict[str, object]


def agent_group(agent_id: str) -> str:
    """Name the group that an agent's sockets and long polls listen to."""
    return f"agent.{agent_id}"


def case_changed(*, case_id: UUID, version: int) -> None:
    """Hint at the new version of a case to every page, after commit."""
    hint: Message = {"type": "hint", "topic": "cases", "id": str(case_id), "revision": version}
    transaction.on_commit(lambda: hints.send(PEOPLE, hint), robust=True)


def decision_made(*, agent_id: str, case_id: UUID, decision_id: UUID, deliver_after: datetime) -> None:
    """Hint at a decision to whoever waits for it, after commit."""
    hint: Message = {
        "type": "decision.made",
        "escalation_id": str(case_id),
        "decision_id": str(decision_id),
        "deliver_after": deliver_after.isoformat(),
    }
    transaction.on_commit(lambda: hints.send(agent_group(agent_id), hint), robust=True)
