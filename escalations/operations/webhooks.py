"""Decisions on their way to a webhook: one due post at a time, taken by a lease so that a crash loses none.

Each agent's posts are a line. While its receiver refuses, the whole line waits with the post that was refused, so that a
thousand decisions knock no oftener than one; the others' lines go on.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import F, QuerySet

from console.audit.operations import record
from console.kit.actor import SYSTEM, Actor
from console.kit.clean import clean_text
from console.kit.refusal import Refused
from escalations import announce
from escalations.domain import signature
from escalations.models import Case, Decision
from escalations.operations.delivery import mark_sent
from escalations.operations.rows import load
from escalations.operations.telling import tell_of_failing_webhook
from escalations.queries.posts import posts_due
from escalations.queries.states import current_decision
from escalations.queries.wire import decision_of, spelled
from escalations.vocabulary import Source, Verb
from telemetry.queries.owners import Webhook, agent_webhook

LEASE = timedelta(seconds=60)  # longer than any post may take
ALARM_AFTER = 5  # tries, some two minutes: a restart of the receiver is no news


class NothingToRedeliver(Refused):
    """There is no decision about the case, or its agent has no webhook."""

    code = "NOTHING_TO_REDELIVER"


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What is to be sent where, with the signature on it."""

    id: UUID
    line: str  # what waits together when the receiver refuses
    url: str
    body: bytes
    headers: dict[str, str]


@transaction.atomic(durable=True)
def take_one_post(*, at: datetime, busy: Collection[str] = ()) -> Post | None:
    """Take the post that is due for longest, of no line that is busy; after a crash it comes up again with the lease."""
    due = posts_due(at=at).exclude(agent_id__in=busy).order_by("webhook_at", "seq")
    while (row := due.select_for_update(skip_locked=True).first()) is not None:
        if (hook := agent_webhook(agent_id=row.agent_id)) is not None:
            return _taken(row, hook, at=at)
        Decision.objects.filter(pk=row.pk).update(webhook_at=None)  # the address was taken off meanwhile
    return None


def _taken(row: Decision, hook: Webhook, *, at: datetime) -> Post:
    Decision.objects.filter(pk=row.pk).update(webhook_at=at + LEASE, webhook_tries=F("webhook_tries") + 1)
    body = orjson.dumps({"type": "decision", **spelled(decision_of(row))})
    signed = signature.headers(message_id=str(row.pk), body=body, secret=hook.secret, at=at)
    return Post(id=row.pk, line=row.agent_id, url=hook.url, body=body, headers=signed)


@transaction.atomic(durable=True)
def post_answered(*, decision_id: UUID, fault: str, at: datetime) -> None:
    """Store how a post ended: a blank fault is a 2xx and says delivered, any other comes up again, later and later."""
    case_id = Decision.objects.values_list("case_id", flat=True).get(pk=decision_id)
    case = Case.objects.select_for_update().get(pk=case_id)
    row = Decision.objects.get(pk=decision_id)
    if not fault:
        Decision.objects.filter(pk=row.pk).update(webhook_at=None, webhook_error="")
        if row.delivered_at is None and row.retracted_at is None:
            mark_sent(case, row, via=Source.WEBHOOK, at=at)
        _line(row).filter(webhook_at__gt=at, webhook_tries=0, deliver_after__lte=at).update(webhook_at=at)
        return
    again = signature.next_try(row.webhook_tries, at=at)
    Decision.objects.filter(pk=row.pk).update(webhook_at=again, webhook_error=clean_text(fault, limit=300))
    if again is not None:
        keep_waiting(_line(row).order_by("seq"), "webhook_at", until=again)
    if row.webhook_tries >= ALARM_AFTER:
        tell_of_failing_webhook(case, at=at)
    if again is None:
        detail: dict[str, object] = {"decision_id": str(row.pk), "tries": row.webhook_tries, "fault": fault}
        subject = f"case:{case.number}"
        record(
            subject=subject,
            verb="webhook_given_up",
            actor=SYSTEM,
            at=at,
            source=Source.WEBHOOK,
            detail=detail,
        )
        announce.case_changed(case_id=case.pk, version=case.version)


def keep_waiting(line: QuerySet[Any], column: str, *, until: datetime) -> None:
    """Let what is due sooner wait as long as the row of its line that was refused; what is taken right now is left."""
    sooner = line.filter(**{f"{column}__lt": until}).select_for_update(skip_locked=True)
    line.model.objects.filter(pk__in=list(sooner.values_list("pk", flat=True))).update(**{column: until})


def _line(row: Decision) -> QuerySet[Decision]:
    """Give the other posts of the same agent that are not taken or done."""
    others = Decision.objects.filter(agent_id=row.agent_id, webhook_at__isnull=False)
    return others.exclude(pk=row.pk)


@transaction.atomic(durable=True)
def redeliver(*, case_id: UUID, by: Actor, at: datetime, source: Source = Source.API) -> None:
    """Post the current decision once more, by hand."""
    row = load(case_id, by=by, verb=Verb.RESOLVE)
    decision = current_decision(row)
    if decision is None or agent_webhook(agent_id=row.agent_id) is None:
        raise NothingToRedeliver("There is no decision to post, or the agent has no webhook.")
    if decision.acknowledged_at is not None:
        raise NothingToRedeliver("The agent has acknowledged it, and may read it again at any time.")
    Decision.objects.filter(pk=decision.pk).update(webhook_at=at, webhook_tries=0, webhook_error="")
    detail: dict[str, object] = {"decision_id": str(decision.pk)}
    record(
        subject=f"case:{row.number}", verb="redelivery_asked", actor=by, at=at, source=source, detail=detail
    )
