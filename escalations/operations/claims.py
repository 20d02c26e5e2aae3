"""Who has a case: claim, release, and leases that lapse by themselves."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from console.kit.actor import SYSTEM, Actor
from escalations import contract
from escalations.domain import lifecycle
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case
from escalations.operations.rows import claim_lease, load, move
from escalations.operations.ruling import chain_after
from escalations.queries.states import state_of
from escalations.queries.wire import escalation
from escalations.vocabulary import Source, Verb


@transaction.atomic(durable=True)
def claim(
    *, case_id: UUID, by: Actor, at: datetime, take_over: bool = False, source: Source = Source.API
) -> contract.Claimed:
    """Take a case for one lease, or renew one's own; another's live claim is taken over only on purpose."""
    row = load(case_id, by=by, verb=Verb.CLAIM)
    state = state_of(row)
    after = lifecycle.claim(state, who=by.id, name=by.name, at=at, lease=claim_lease(), take_over=take_over)
    from_whom = state.holder_name if state.held_by_another(by.id, at) else None
    verb = "claimed" if state.holder_id != by.id or not state.held_at(at) else "claim_renewed"
    detail: dict[str, object] = {"taken_over_from": from_whom} if from_whom else {}
    verb = "taken_over" if from_whom else verb
    chain = chain_after(row, after.lease_until, row.snoozed_until, at=at)
    move(row, after, verb=verb, by=by, at=at, source=source, detail=detail, **chain)
    return contract.Claimed(
        id=row.pk,
        ref=str(row),
        holder=row.holder_name,
        lease_until=at + claim_lease(),
        taken_over_from=from_whom,
    )


@transaction.atomic(durable=True)
def release(*, case_id: UUID, by: Actor, at: datetime, source: Source = Source.API) -> contract.Escalation:
    """Give a case back; giving back what nobody holds changes nothing."""
    row = load(case_id, by=by, verb=Verb.RELEASE)
    if row.holder_id:
        after = lifecycle.release(state_of(row), who=by.id, at=at)
        chain = chain_after(row, None, row.snoozed_until, at=at)
        move(row, after, verb="released", by=by, at=at, source=source, **chain)
    return escalation(row, at=at)


@transaction.atomic(durable=True)
def free_one_of(*, person_id: str, by: Actor, at: datetime) -> bool:
    """Take somebody who has left off one of the undecided cases they hold or were given; say whether there was one."""
    theirs = Case.objects.filter(Q(holder_id=person_id) | Q(assignee_id=person_id), decision__in=UNDECIDED)
    row = theirs.select_for_update().order_by("id").first()
    if row is None:
        return False
    state = state_of(row)
    after = lifecycle.release(state, who=person_id, at=at) if row.holder_id == person_id else state
    detail: dict[str, object] = {"holder": row.holder_name or row.assignee_name}
    columns: dict[str, Any] = {} if after.lease_until else chain_after(row, None, row.snoozed_until, at=at)
    columns |= {"assignee_id": "", "assignee_name": ""} if row.assignee_id == person_id else {}
    move(row, after, verb="released", by=by, at=at, source=Source.API, detail=detail, **columns)
    return True


@transaction.atomic(durable=True)
def lapse_one(*, at: datetime) -> bool:
    """Free the case whose lease ended longest ago; say whether there was one."""
    lapsed = Case.objects.filter(lease_until__lte=at).order_by("lease_until", "id")
    row = lapsed.select_for_update(skip_locked=True).first()
    if row is None:
        return False
    detail: dict[str, object] = {"holder": row.holder_name}
    after = lifecycle.lapse(state_of(row), at=at)
    move(row, after, verb="claim_lapsed", by=SYSTEM, at=at, source=Source.SWEEP, detail=detail)
    return True
