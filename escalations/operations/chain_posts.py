"""Messages of chains to webhooks: rows that are posted, taken by a lease, retried, and given up after a while."""

from datetime import datetime
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import F

from console.audit.operations import record
from console.kit.actor import SYSTEM
from console.kit.clean import clean_text
from escalations.domain import signature
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case, ChainPost
from escalations.operations.webhooks import LEASE, Post
from escalations.queries.secrets import chain_secret
from escalations.vocabulary import Source


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
def take_one_chain_post(*, at: datetime) -> Post | None:
    """Take the message that is due for longest; one about a case that is decided meanwhile is not sent any more."""
    due = ChainPost.objects.filter(due_at__lte=at).order_by("due_at", "id")
    while (row := due.select_for_update(skip_locked=True).first()) is not None:
        if row.case.decision not in UNDECIDED:
            ChainPost.objects.filter(pk=row.pk).update(due_at=None, error="Decided before it was sent.")
            continue
        ChainPost.objects.filter(pk=row.pk).update(due_at=at + LEASE, tries=F("tries") + 1)
        body = orjson.dumps({"id": str(row.pk), **row.body})
        signed = signature.headers(message_id=str(row.pk), body=body, secret=chain_secret(row.url), at=at)
        return Post(decision_id=row.pk, url=row.url, body=body, headers=signed)
    return None


@transaction.atomic(durable=True)
def chain_post_answered(*, post_id: UUID, fault: str, at: datetime) -> None:
    """Store how a post ended: a blank fault is a 2xx, any other comes up again, later and later."""
    row = ChainPost.objects.select_for_update().select_related("case").get(pk=post_id)
    if not fault:
        ChainPost.objects.filter(pk=row.pk).update(due_at=None, error="", sent_at=at)
        return
    again = signature.next_try(row.tries, at=at)
    ChainPost.objects.filter(pk=row.pk).update(due_at=again, error=clean_text(fault, limit=300))
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
