"""Deadlines: what happens to a case that nobody decides."""

import uuid
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from console.kit.actor import Actor, ActorKind
from escalations.domain import lifecycle, plan
from escalations.domain.word import Word
from escalations.models import Case
from escalations.operations.rows import (
    MovedUnderneath,
    claim_lease,
    close_without_a_word,
    current_revision,
    move,
    report_within,
)
from escalations.operations.written import decision_by_rule
from escalations.queries.pauses import held_back
from escalations.queries.plans import with_default_as_known
from escalations.queries.states import state_of
from escalations.vocabulary import Action, DeciderKind, DecisionKind, OnTimeout, Source
from escalations.vocabulary import Decision as Decided

DEADLINE = Actor(ActorKind.SYSTEM, "deadline", "deadline")
NAMES = {OnTimeout.APPROVE: Action.APPROVE, OnTimeout.REJECT: Action.REJECT}
NOBODY = "Nobody decided by the deadline."


@transaction.atomic(durable=True)
def expire_one(*, at: datetime) -> bool:
    """Close the case that is overdue for longest, as its agent declared; say whether there was one.

    A person who holds the row's lock wins: the sweep passes it by and finds it decided the next time.
    """
    lease = claim_lease()
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=at) | Q(expires_at__lte=at - lease)
    overdue = Case.objects.filter(free, decision__in=lifecycle.UNDECIDED, expires_at__lte=at)
    row = overdue.order_by("expires_at", "id").select_for_update(skip_locked=True).first()
    if row is None:
        return False
    packed = with_default_as_known(current_revision(row).package)
    action = _declared(packed, row.policy)
    pause = held_back(row, at=at) if action is not None else ""
    if action is None or pause:
        _expire(row, message=f"{NOBODY} {pause}".strip(), at=at)
    else:
        _default(row, packed, action, at=at)
        if held_back(row, at=at):  # whoever held it back holds the end of the audit by now, or comes after us
            raise MovedUnderneath("It was held back at this very moment.")
    return True


def _declared(packed: dict[str, Any], policy: dict[str, Any]) -> Action | None:
    """Give the declared default: the policy's, else the agent's.

    One that would write was refused at the door, and is refused here again.
    """
    declared = (
        {"action": policy["on_timeout"]} if policy.get("on_timeout") else packed.get("on_timeout") or {}
    )
    action = NAMES.get(OnTimeout(declared.get("action", OnTimeout.EXPIRE)))
    if action is Action.APPROVE:
        chosen = plan.pick(plan.proposals_of(packed), declared.get("proposal_id"))
        return action if chosen.reads_only else None
    return action


def _expire(row: Case, *, message: str, at: datetime) -> None:
    after = lifecycle.expire(state_of(row), at=at, lease=claim_lease())
    close_without_a_word(row, kind=DecisionKind.EXPIRED, state=Decided.EXPIRED, message=message, at=at)
    move(row, after, verb="expired", by=DEADLINE, at=at, source=Source.SWEEP, decided_at=at)


def _default(row: Case, packed: dict[str, Any], action: Action, *, at: datetime) -> None:
    into = lifecycle.DECIDED_AS[action]
    after = lifecycle.expire(state_of(row), at=at, lease=claim_lease(), into=into)
    proposal_id = (packed.get("on_timeout") or {}).get("proposal_id")
    whose = f"the policy “{row.policy['name']}”" if row.policy.get("on_timeout") else "the agent"
    message = f"{NOBODY} The default that {whose} declared is “{action}”."
    word = Word(action=action, proposal_id=proposal_id, message=message)
    made = decision_by_rule(
        row,
        packed,
        after,
        word,
        kind=DeciderKind.DEFAULT,
        name="declared default",
        at=at,
        deliver_after=at,
        decision_id=uuid.uuid4(),
    )
    columns: dict[str, Any] = {
        "decided_at": at,
        "decided_by": made.by_name,
        "report_due_at": at + report_within() if after.decision in lifecycle.RUNS else None,
    }
    detail: dict[str, object] = {"decision_id": str(made.pk), "action": action.value, "default": True}
    verb = f"default_{after.decision}"
    move(row, after, verb=verb, by=DEADLINE, at=at, source=Source.SWEEP, detail=detail, **columns)
