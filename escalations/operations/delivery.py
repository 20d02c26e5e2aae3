"""A decision on its way: sent, and acknowledged by the agent that has it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from console.kit.actor import SYSTEM, Actor
from console.kit.refusal import Kind, Refused
from escalations import contract
from escalations.domain import lifecycle
from escalations.models import Case, Decision
from escalations.operations.rows import load, move, report_within
from escalations.queries.states import state_of
from escalations.vocabulary import Execution, Source, Verb


class NoSuchDecision(Refused):
    """There is no such decision about this case, or it is not out yet."""

    kind, code = Kind.MISSING, "NO_SUCH_DECISION"


class DigestMismatch(Refused):
    """What the agent has is not what was decided."""

    code = "DIGEST_MISMATCH"


class StaleFence(Refused):
    """Another process of the agent, with a later journal, has the decision."""

    code = "STALE_FENCE"


@transaction.atomic(durable=True)
def mark_delivered(*, decision_ids: Sequence[UUID], via: Source, at: datetime) -> int:
    """Say of decisions that they were sent; give how many were not known to be."""
    waiting = Decision.objects.filter(
        pk__in=decision_ids, delivered_at__isnull=True, retracted_at__isnull=True
    )
    case_ids = sorted(set(waiting.values_list("case_id", flat=True)))
    # The cases are locked in one order, whoever marks what, and the decisions read again behind the locks.
    cases = {row.pk: row for row in Case.objects.select_for_update().filter(pk__in=case_ids).order_by("pk")}
    unsent = list(waiting.order_by("seq"))
    for decision in unsent:
        mark_sent(cases[decision.case_id], decision, via=via, at=at)
    return len(unsent)


@transaction.atomic(durable=True)
def acknowledge(
    *,
    case_id: UUID,
    decision_id: UUID,
    args_digest: str,
    fence: int | None,
    by: Actor,
    at: datetime,
    source: Source = Source.API,
) -> contract.Acknowledged:
    """Store that the agent has the decision; the same again changes nothing, a lower fence is refused."""
    row = load(case_id, by=by, verb=Verb.ACKNOWLEDGE)
    decision = decision_out(row, decision_id, at=at)
    check_digest(decision, args_digest)
    if fence is not None and decision.fence is not None and fence < decision.fence:
        told = {"fence": decision.fence}
        raise StaleFence(
            "A process with a later journal has this decision. Stop, and read it again.", extra=told
        )
    news = decision.acknowledged_at is None or (fence is not None and fence != decision.fence)
    if news:
        decision.acknowledged_at = decision.acknowledged_at or at
        decision.fence = fence if fence is not None else decision.fence
        _acknowledged(row, decision, by=by, at=at, source=source)
    return contract.Acknowledged(
        decision_id=decision.pk,
        escalation_id=row.pk,
        args_digest=decision.args_digest,
        fence=decision.fence,
        acknowledged_at=decision.acknowledged_at or at,
    )


def decision_out(row: Case, decision_id: UUID, *, at: datetime) -> Decision:
    """Give a decision of this case that its agent may know of."""
    found = Decision.objects.filter(case=row, pk=decision_id, retracted_at__isnull=True).first()
    if found is None or at < found.deliver_after:
        raise NoSuchDecision("There is no such decision about this case.")
    return found


def check_digest(decision: Decision, args_digest: str) -> None:
    """Refuse whoever has other steps than the decided ones."""
    if args_digest != decision.args_digest:
        told = {"args_digest": decision.args_digest}
        raise DigestMismatch(
            "This is not the digest of what was decided. Read the decision again.", extra=told
        )


def mark_sent(row: Case, decision: Decision, *, via: Source, at: datetime) -> None:
    """Say of one decision that it was sent, within the caller's transaction."""
    sent_at = max(at, decision.deliver_after)  # clocks of two machines differ; the order of events does not
    execution = lifecycle.delivered(Execution(decision.execution))
    Decision.objects.filter(pk=decision.pk).update(
        delivered_at=sent_at, delivered_by=via, execution=execution
    )
    follow(row, decision, execution, verb="delivered", by=SYSTEM, at=sent_at, source=via)


def _acknowledged(row: Case, decision: Decision, *, by: Actor, at: datetime, source: Source) -> None:
    execution = lifecycle.acknowledged(Execution(decision.execution))
    Decision.objects.filter(pk=decision.pk).update(
        acknowledged_at=decision.acknowledged_at, fence=decision.fence, execution=execution
    )
    owed = execution is Execution.ACKNOWLEDGED and decision.revision == row.revision
    columns = {"report_due_at": at + report_within()} if owed else {}
    detail: dict[str, object] = {} if decision.fence is None else {"fence": decision.fence}
    follow(
        row, decision, execution, verb="acknowledged", by=by, at=at, source=source, detail=detail, **columns
    )


def follow(
    row: Case,
    decision: Decision,
    execution: Execution,
    *,
    verb: str,
    by: Actor,
    at: datetime,
    source: Source,
    detail: dict[str, object] | None = None,
    **columns: Any,
) -> None:
    """Let the case follow its decision's execution, with the audit entry; an earlier revision's leaves it alone."""
    state = state_of(row, decision=decision)
    after = lifecycle.executed_as(state, execution) if decision.revision == row.revision else state
    told: dict[str, object] = {
        "decision_id": str(decision.pk),
        "revision": decision.revision,
        **(detail or {}),
    }
    move(row, after, verb=verb, by=by, at=at, source=source, detail=told, **columns)
