"""Whom what happens to a case is told to: notices in the transaction of what they tell of."""

from collections.abc import Iterable
from datetime import datetime
from urllib.parse import quote

from console.kit.actor import Actor
from console.notices.domain.audience import ANYBODY, Audience
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


def tell_of_opening(row: Case, *, at: datetime) -> None:
    """Tell everybody who follows the queue that a case needs a decision, again where one was taken back."""
    tell_queue(row, topic=Topic.CASE_OPENED, at=at, once=f"opened:{row.pk}:{row.version}")


def tell_of_attention(row: Case, *, at: datetime) -> None:
    """Tell whoever decided, and everybody who follows the queue, that it did not end well or not at all."""
    people = frozenset(ids_named(row.decided_by.split(", ")).values())
    once = f"attention:{row.pk}:{row.revision}:{row.execution}"
    _tell(row, Audience(people=people, queue=row.queue), topic=Topic.CASE_ATTENTION, at=at, once=once)


def tell_assignee(row: Case, *, by: Actor, at: datetime) -> None:
    """Tell a person that a case stands on their list, unless they put it there."""
    if row.assignee_id and row.assignee_id != by.id:
        audience = Audience(people=frozenset({row.assignee_id}))
        once = f"assigned:{row.pk}:{row.version}"
        _tell(row, audience, topic=Topic.CASE_ASSIGNED, at=at, once=once)


def tell_of_vote(row: Case, *, by: Actor, at: datetime) -> None:
    """Tell everybody who follows the queue that another vote is wanted; whoever voted knows."""
    once = f"vote:{row.pk}:{row.version}"
    _tell(row, Audience(queue=row.queue, not_to=by.id), topic=Topic.VOTE_WANTED, at=at, once=once)


def tell_of_failing_webhook(row: Case, *, at: datetime) -> None:
    """Tell that an agent's webhook takes no decisions, once a day."""
    owner = frozenset({row.agent_owner_id} if row.agent_owner_id else ())
    notify(
        topic=Topic.WEBHOOK_FAILING,
        subject_key=f"agent:{row.agent_id}",
        at=at,
        audience=Audience(people=owner, roles=frozenset({ANYBODY})),
        words=Words(agent=row.agent_name, ref=str(row)),
        link=f"/agents/{quote(row.agent_name, safe='')}/",
        once=f"webhook:{row.agent_id}:{at.date().isoformat()}",
    )


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
        once=f"glass:{row.pk}:{row.version}",
    )


def _tell(row: Case, audience: Audience, *, topic: Topic, at: datetime, once: str) -> None:
    notify(
        topic=topic,
        subject_key=f"case:{row.pk}",
        at=at,
        audience=audience,
        words=Words(
            ref=str(row),
            title=row.title,
            tool=row.tool,
            queue=row.queue,
            agent=row.agent_name,
            state=row.execution,
        ),
        link=f"/cases/{row}/",
        urgency=Urgency.URGENT if row.severity in URGENT else Urgency.NORMAL,
        once=once,
    )
