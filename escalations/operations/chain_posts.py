"""Messages of chains to webhooks: rows that are posted, taken by a lease, retried, and given up after a while.

The messages to one address are a line that waits together while its receiver refuses, as those to an agent are.
"""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import F, QuerySet

from console.audit.operations import record
from console.kit.actor import SYSTEM, Actor
from console.kit.clean import clean_text
from console.kit.refusal import Kind, Refused
from escalations.domain import signature
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case, ChainPost
from escalations.operations.rows import load
from escalations.operations.webhooks import LEASE, Post, keep_waiting
from escalations.queries.posts import chain_posts_due
from escalations.queries.secrets import chain_secret
from escalations.vocabulary import Source, Verb


class NoSuchPost(Refused):
    """The chain of this case put out no such message."""

    kind, code = Kind.MISSING, "NO_SUCH_POST"


class NothingToTell(Refused):
    """The case is decided: what waits for nobody is told to nobody."""

    code = "NOTHING_TO_TELL"


def put_chain_post(row: Case, url: str, *, at: datetime) -> None:
    """Put a message about a case into the outbox: what it is and where to look, no arguments of anybody's."""
    body = {
        "type": "case.waiting",
        "escalation_id": str(row.pk),
        "ref": str(row),
        "link": f"/cases/{row}/",
        "title": row.title,
        "tool": row.tool,
        "class": row.failure_class,
        "code": row.code,
        "agent": row.agent_name,
        "queue": row.queue,
        "severity": row.severity,
        "expires_at": row.expires_at.isoformat(),
    }
    ChainPost.objects.create(case=row, url=url, body=body, made_at=at, due_at=at)


@transaction.atomic(durable=True)
def take_one_chain_post(*, at: datetime, busy: Collection[str] = ()) -> Post | None:
    """Take the message that is due for longest, to no address that is busy; what is decided meanwhile is not sent."""
    due = chain_posts_due(at=at).exclude(url__in=busy).order_by("due_at", "made_at", "id")
    while (row := due.select_for_update(skip_locked=True).first()) is not None:
        if row.case.decision not in UNDECIDED:
            ChainPost.objects.filter(pk=row.pk).update(due_at=None, error="Decided before it was sent.")
            continue
        ChainPost.objects.filter(pk=row.pk).update(due_at=at + LEASE, tries=F("tries") + 1)
        body = orjson.dumps({"id": str(row.pk), **row.body})
        signed = signature.headers(message_id=str(row.pk), body=body, secret=chain_secret(row.url), at=at)
        return Post(id=row.pk, line=row.url, url=row.url, body=body, headers=signed)
    return None


@transaction.atomic(durable=True)
def chain_post_answered(*, post_id: UUID, fault: str, at: datetime) -> None:
    """Store how a post ended: a blank fault is a 2xx, any other comes up again, later and later."""
    row = ChainPost.objects.select_for_update().select_related("case").get(pk=post_id)
    if not fault:
        ChainPost.objects.filter(pk=row.pk).update(due_at=None, error="", sent_at=at)
        _line(row).filter(due_at__gt=at, tries=0).update(due_at=at)
        return
    again = signature.next_try(row.tries, at=at)
    ChainPost.objects.filter(pk=row.pk).update(due_at=again, error=clean_text(fault, limit=300))
    if again is not None:
        keep_waiting(_line(row).order_by("made_at", "id"), "due_at", until=again)
    if again is None:
        detail: dict[str, object] = {"url": row.url, "tries": row.tries, "fault": fault}
        subject = f"case:{row.case.number}"
        record(
            subject=subject,
            verb="chain_post_given_up",
            actor=SYSTEM,
            at=at,
            source=Source.WEBHOOK,
            detail=detail,
        )


@transaction.atomic(durable=True)
def redeliver_chain_post(
    *, case_id: UUID, post_id: UUID, by: Actor, at: datetime, source: Source = Source.API
) -> None:
    """Post a chain's message once more, by hand; what is decided is never told to anybody again."""
    case = load(case_id, by=by, verb=Verb.RESOLVE)
    row = ChainPost.objects.filter(case=case, pk=post_id).first()
    if row is None:
        raise NoSuchPost("The chain of this case put out no such message.")
    if case.decision not in UNDECIDED:
        raise NothingToTell("The case is decided, and its chain tells nobody any more.")
    ChainPost.objects.filter(pk=row.pk).update(due_at=at, tries=0, error="")
    detail: dict[str, object] = {"url": row.url, "post_id": str(row.pk)}
    record(
        subject=f"case:{case.number}",
        verb="chain_redelivery_asked",
        actor=by,
        at=at,
        source=source,
        detail=detail,
    )


def _line(row: ChainPost) -> QuerySet[ChainPost]:
    return ChainPost.objects.filter(url=row.url, due_at__isnull=False).exclude(pk=row.pk)
