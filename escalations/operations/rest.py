"""The rest of a plan that ended halfway, as the case's next revision: put there by a person, decided like any other."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from console.kit.actor import Actor
from escalations import contract
from escalations.domain import lifecycle, package, rest
from escalations.models import Outcome
from escalations.operations.opening import deadline_of, put_revision
from escalations.operations.rows import current_revision, load
from escalations.operations.ruling import revised_under
from escalations.queries.states import current_decision, state_of
from escalations.queries.wire import escalation
from escalations.vocabulary import Source, Verb


@transaction.atomic(durable=True)
def open_rest(
    *,
    case_id: UUID,
    base_revision: int,
    expires_at: datetime | None = None,
    by: Actor,
    at: datetime,
    source: Source = Source.API,
) -> contract.Escalation:
    """Put what is left of the decided plan before people again, each effect under the key it had.

    The agent may be faster with a revision of its own: then this one is refused as any stale one.
    """
    row = load(case_id, by=by, verb=Verb.GO_ON)
    state = state_of(row)
    if (refusal := lifecycle.why_not_go_on(state)) is not None:
        raise refusal
    decision = current_decision(row)
    revision = current_revision(row)
    told = {
        step["id"]: step
        for outcome in Outcome.objects.filter(decision=decision).order_by("reported_at", "id")
        for step in outcome.steps
    }
    left = rest.rest_of(revision.package, decision.steps if decision else (), told)
    if left is None:
        raise lifecycle.NotAllowedNow("Every step of the plan is done.")
    ruled = revised_under(row, left, deadline_of(expires_at, at), at=at)
    after = lifecycle.revise(state, base_revision=base_revision, expires_at=ruled.pop("expires_at"))
    content = package.content_digest(left)
    put_revision(row, after, left, content, ruled=ruled, verb="rest_opened", by=by, at=at, source=source)
    return escalation(row, at=at)
