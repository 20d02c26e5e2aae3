"""Tells a person's open pages that there is something to show, after commit. A hint may be lost; the rows stay."""

from datetime import datetime

from django.db import transaction

from console.kit import hints


def person_group(person_id: int | str) -> str:
    """Name the group that a person's open pages listen to."""
    return f"person.{person_id}"


def offered(*, person_id: int, at: datetime) -> None:
    """Hint that a browser may show a notice."""
    hint = {
        "type": "hint",
        "topic": "notices",
        "id": str(person_id),
        "revision": int(at.timestamp() * 1000),
    }
    transaction.on_commit(lambda: hints.send(person_group(person_id), hint), robust=True)
