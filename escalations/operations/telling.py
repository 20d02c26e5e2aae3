"""Whom a case's chain, reminders and broken glass are told to: notices in the transaction of what they tell of."""

from collections.abc import Iterable
from datetime import datetime

from console.kit.actor import Actor
from console.notices.domain.audience import Audience
from console.notices.domain.words import Words
from console.notices.operations import notify
from console.notices.vocabulary import Topic, Urgency
from escalations.models import Case
from escalations.queries.deciders import ids_named
from escalations.vocabulary import Severity

URGENT = frozenset({Severity.HIGH, Severity.CRITICAL})


def tell_people(row: Case, names: Iterable[str], *, topic: Topic, at: datetime, once: str) -> None:
    """Tell people by name about a case; whoever has left meanwhile is told nothing."""
    people = frozenset(ids_named(names).values())
    if people:
        _tell(row, Audience(people=people), topic=topic, at=at, once=once)


def tell_queue(row: Case, *, topic: Topic, at: datetime, once: str) -> None:
    """Tell everybody who follows the case's queue."""
    _tell(row, Audience(queue=row.queue), topic=topic, at=at, once=once)


def tell_of_broken_glass(row: Case, *, by: Actor, at: datetime) -> None:
    """Tell every administrator who decided against a case's own rules."""
    notify(
        topic=Topic.BREAK_GLASS,
        subject_key=f"case:{row.pk}",
        at=at,
        audience=Audience(roles=frozenset({"admin"}), not_to=by.id),
        words=Words(ref=str(row), title=row.title, tool=row.tool, queue=row.queue, by=by.name),
        link=f"/cases/{row}/",
        urgency=Urgency.URGENT,
        once=f"glass:{row.pk}:{row.revision}",
    )


def _tell(row: Case, audience: Audience, *, topic: Topic, at: datetime, once: str) -> None:
    notify(
        topic=topic,
        subject_key=f"case:{row.pk}",
        at=at,
        audience=audience,
        words=Words(ref=str(row), title=row.title, tool=row.tool, queue=row.queue, agent=row.agent_name),
        link=f"/cases/{row}/",
        urgency=Urgency.URGENT if row.severity in URGENT else Urgency.NORMAL,
        once=once,
    )
