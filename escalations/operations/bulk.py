"""The same for many cases, each in its own transaction and with its own answer; live claims of others are left alone."""

import logging
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.db import OperationalError

from console.kit.actor import Actor
from console.kit.refusal import Refused
from escalations import contract
from escalations.contract.bulk import BulkVerb
from escalations.operations.asides import assign, snooze
from escalations.operations.claims import claim, release
from escalations.operations.decisions import decide
from escalations.queries.plans import recommended_plan
from escalations.vocabulary import Action, Source

log = logging.getLogger(__name__)


def bulk(*, said: contract.Bulk, by: Actor, at: datetime, source: Source = Source.API) -> contract.BulkAnswer:
    """Do one thing to many cases and say of each what became of it."""
    do = _doing(said, by, at, source)
    return contract.BulkAnswer(results=tuple(_one(item, do) for item in said.items))


def _one(item: contract.BulkItem, do: Callable[[contract.BulkItem], str]) -> contract.BulkResult:
    try:
        code = do(item)
    except (Refused, OperationalError) as why:
        return not_done(item, why)
    return contract.BulkResult(id=item.id, done=True, code=code, detail="", extra={})


def not_done(item: contract.BulkItem, why: Refused | OperationalError) -> contract.BulkResult:
    """Give the answer for one that was not done; what the database did not take fails for itself alone."""
    if isinstance(why, Refused):
        return contract.BulkResult(id=item.id, done=False, code=why.code, detail=why.detail, extra=why.extra)
    log.warning("the database did not take one of many: %s", why)
    detail = "The database is busy. Send the same again."
    return contract.BulkResult(id=item.id, done=False, code="DATABASE_BUSY", detail=detail, extra={})


def _doing(
    said: contract.Bulk, by: Actor, at: datetime, source: Source
) -> Callable[[contract.BulkItem], str]:
    """Give what is done to each; it says what else there is to know, as a code, or nothing."""

    def claimed(item: contract.BulkItem) -> str:
        claim(case_id=item.id, by=by, at=at, source=source)
        return ""

    def released(item: contract.BulkItem) -> str:
        release(case_id=item.id, by=by, at=at, source=source)
        return ""

    def slept(item: contract.BulkItem) -> str:
        snooze(case_id=item.id, until=said.until, by=by, at=at, source=source)
        return ""

    def assigned(item: contract.BulkItem) -> str:
        assign(case_id=item.id, to=said.person or "", by=by, at=at, source=source)
        return ""

    def decided(item: contract.BulkItem) -> str:
        made = decide(
            case_id=item.id, said=_decision(said, item), by=by, at=at, source=source, leave_held=True
        )
        return "VOTE_KEPT" if made.decision is None else ""

    verbs = {
        BulkVerb.CLAIM: claimed,
        BulkVerb.RELEASE: released,
        BulkVerb.SNOOZE: slept,
        BulkVerb.ASSIGN: assigned,
    }
    return verbs.get(said.verb, decided)


def _decision(said: contract.Bulk, item: contract.BulkItem) -> contract.Decide:
    action = Action(said.verb.value)
    proposal_id = item.proposal_id
    if action is Action.APPROVE and proposal_id is None:
        proposal_id = recommended_plan(case_id=UUID(str(item.id)))
    return contract.Decide(
        decision_key=f"{said.key}:{item.id}",
        base_revision=item.base_revision,
        action=action,
        proposal_id=proposal_id if action is Action.APPROVE else None,
        message=said.message,
        reason=said.reason,
    )
