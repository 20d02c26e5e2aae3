"""Tells open pages that there is something to show or that the outbox moved, after commit. A hint may be lost; the rows stay."""

from datetime import datetime

from django.db import transaction

from console.kit import hints

TEAMS = "people.notices"


def person_group(person_id: int | str) -> str:
    """Name the group that a person's open pages listen to."""
    return f"person.{person_id}"


def outbox_changed(*, person_id: int | None, at: datetime) -> None:
    """Hint that a message of a person's channel, or of a team's, has come further."""
    hint = _hint("outbox", person_id or "team", at)
    group = TEAMS if person_id is None else person_group(person_id)
    transaction.on_commit(lambda: hints.send(group, hint), robust=True)


def offered(*, person_id: int, at: datetime) -> None:
    """Hint that a browser may show a notice."""
    hint = _hint("notices", person_id, at)
    transaction.on_commit(lambda: hints.send(person_group(person_id), hint), robust=True)


def _hint(topic: str, subject: int | str, at: datetime) -> dict[str, object]:
    return {"type": "hint", "topic": topic, "id": str(subject), "revision": int(at.timestamp() * 1000)}
