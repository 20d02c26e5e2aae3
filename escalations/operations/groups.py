"""One decision for cases of one cause: each in its own transaction, with its own answer, and nobody else's along."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import OperationalError

from console.kit.actor import Actor
from console.kit.refusal import Refused
from escalations import contract
from escalations.operations.bulk import not_done
from escalations.operations.decisions import decide
from escalations.queries.groups import members, newcomers
from escalations.queries.plans import recommended_plan
from escalations.vocabulary import Action, Source


def decide_group(
    *,
    fingerprint: str,
    said: contract.DecideGroup,
    by: Actor,
    at: datetime,
    source: Source = Source.API,
) -> contract.GroupAnswer:
    """Decide the cases that were looked at; whoever joined the group since then is named and left undecided.

    Live claims of others are respected; a case of another cause is refused however it came into the list.
    """
    inside = members(fingerprint=fingerprint, ids=[item.id for item in said.items])
    results = tuple(
        _one(item, said, by=by, at=at, source=source) if item.id in inside else _stranger(item)
        for item in said.items
    )
    looked_at = [item.id for item in said.items]
    return contract.GroupAnswer(
        results=results, newcomers=newcomers(fingerprint=fingerprint, besides=looked_at)
    )


def _one(
    item: contract.BulkItem, said: contract.DecideGroup, *, by: Actor, at: datetime, source: Source
) -> contract.BulkResult:
    try:
        word = _word(item, said)
        made = decide(case_id=item.id, said=word, by=by, at=at, source=source, leave_held=True)
    except (Refused, OperationalError) as why:
        return not_done(item, why)
    extra = {"vote": made.vote.model_dump(mode="json")} if made.vote is not None else {}
    return contract.BulkResult(id=item.id, done=True, code="", detail="", extra=extra)


def _stranger(item: contract.BulkItem) -> contract.BulkResult:
    detail = "It is not a case of this cause."
    return contract.BulkResult(id=item.id, done=False, code="NOT_IN_GROUP", detail=detail, extra={})


def _word(item: contract.BulkItem, said: contract.DecideGroup) -> contract.Decide:
    given: dict[str, Any] = {"answer": said.answer} if "answer" in said.model_fields_set else {}
    proposal_id = item.proposal_id
    if said.action is Action.APPROVE and proposal_id is None:
        proposal_id = recommended_plan(case_id=UUID(str(item.id)))
    return contract.Decide(
        decision_key=f"{said.key}:{item.id}",
        base_revision=item.base_revision,
        action=said.action,
        proposal_id=proposal_id if said.action is Action.APPROVE else None,
        message=said.message,
        reason=said.reason,
        **given,
    )
