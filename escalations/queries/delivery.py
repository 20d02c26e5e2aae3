"""Decisions that agents wait for: the one row behind socket, long poll and webhook."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from console.kit.actor import Actor
from escalations import contract
from escalations.domain import permissions
from escalations.domain.kinds import in_kind
from escalations.models import Case, Decision, Revision
from escalations.queries.states import subject_of
from escalations.queries.wire import decision_of, spelled
from escalations.vocabulary import Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One decision on its way; `undoable` when a person could have taken it back until it was due."""

    decision: contract.Decision
    agent_id: str
    unsent: bool
    undoable: bool


def out_for(*, escalation_ids: Sequence[UUID], at: datetime) -> tuple[Waiting, ...]:
    """Give everything unacknowledged and due about these cases, in the order of each agent's `seq`."""
    rows = Decision.objects.filter(
        case_id__in=escalation_ids,
        acknowledged_at__isnull=True,
        retracted_at__isnull=True,
        deliver_after__lte=at,
    )
    return tuple(waiting(row) for row in rows.order_by("agent_id", "seq"))


def decision_about(
    *, case_id: UUID, actor: Actor, at: datetime, revision: int | None = None
) -> contract.Decision | None:
    """Give the decision about a case's current revision (or the one asked for), None while there is none.

    Acknowledged ones as well: an agent that lost its memory may read it again.
    """
    case = Case.objects.filter(pk=case_id).first()
    if case is None:
        raise permissions.NoSuchCase("There is no such case.")
    if (refusal := permissions.why_not(actor, Verb.READ_DECISION, subject_of(case))) is not None:
        raise refusal
    about = Q(case=case, revision=revision or case.revision, retracted_at__isnull=True, deliver_after__lte=at)
    row = Decision.objects.filter(about).first()
    return decision_of(row) if row else None


def answer_in_kind(*, case_id: UUID, actor: Actor, at: datetime) -> contract.AnswerInKind | None:
    """Give the decision as the family that asked writes it, None while there is none."""
    decision = decision_about(case_id=case_id, actor=actor, at=at)
    if decision is None:
        return None
    row = Revision.objects.get(case_id=case_id, number=decision.revision)
    context = row.package.get("context") or {}
    return contract.AnswerInKind(
        kind=str(context.get("kind")),
        decision_id=decision.decision_id,
        args_digest=decision.args_digest,
        answer=in_kind(context, {**spelled(decision), "message": words_for_models(decision)}),
    )


def words_for_models(decision: contract.Decision) -> str:
    """Give what a person said in one text, for families that have room for one: the chosen reason, then the words."""
    parts = dict.fromkeys(each.strip() for each in (decision.reason, decision.message) if each.strip())
    return ". ".join(part.rstrip(".") for part in parts) if len(parts) > 1 else "".join(parts)


def owned(*, escalation_ids: Sequence[UUID], agent_id: str) -> frozenset[UUID]:
    """Give which of these cases are this agent's; the others are not there at all."""
    mine = Case.objects.filter(pk__in=escalation_ids, agent_id=agent_id)
    return frozenset(mine.values_list("pk", flat=True))


def case_of_decision(*, decision_id: UUID) -> UUID:
    """Give the case that a decision is about; whose it is, the operation asks."""
    found = Decision.objects.filter(pk=decision_id).values_list("case_id", flat=True).first()
    if found is None:
        raise permissions.NoSuchCase("There is no such decision.")
    return found


def waiting(row: Decision) -> Waiting:
    """Give a decision as those who wait for it get it."""
    return Waiting(
        decision=decision_of(row),
        agent_id=row.agent_id,
        unsent=row.delivered_at is None,
        undoable=row.deliver_after > row.decided_at,
    )
