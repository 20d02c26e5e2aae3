"""Cases for the API: one, and a page of many, each as the asking actor may see them."""

from datetime import datetime
from uuid import UUID

from console.kit.actor import Actor, ActorKind
from console.kit.paging import decode, encode
from escalations import contract
from escalations.domain import permissions
from escalations.models import Case, Revision
from escalations.queries.queue import listed
from escalations.queries.states import current_decision, subject_of
from escalations.queries.wire import escalation, whole
from escalations.vocabulary import Verb, View


def one(*, case_id: UUID, actor: Actor, at: datetime) -> contract.EscalationWhole:
    """Give a case with its package and decision; to an agent only its own."""
    case = Case.objects.filter(pk=case_id).first()
    if case is None:
        raise permissions.NoSuchCase("There is no such case.")
    if (refusal := permissions.why_not(actor, Verb.LOOK, subject_of(case))) is not None:
        raise refusal
    revision = Revision.objects.get(case=case, number=case.revision)
    made = current_decision(case)
    shown = (
        made if made is not None and (actor.kind is ActorKind.PERSON or made.deliver_after <= at) else None
    )
    return whole(case, revision, shown, at=at)


def page(
    *, actor: Actor, at: datetime, view: View | None, search: str, key: str, after: str | None, limit: int
) -> contract.Escalations:
    """Give a page, newest first; to an agent only its own cases."""
    own = actor.id if actor.kind is ActorKind.AGENT else ""
    rows = listed(view=view, person_id=actor.id, at=at, search=search, agent_id=own)
    if key:
        rows = rows.filter(key=key)
    if after:
        (number,) = decode(after, int)
        rows = rows.filter(number__lt=number)
    found = list(rows.order_by("-number")[: limit + 1])
    shown = found[:limit]
    return contract.Escalations(
        escalations=tuple(escalation(row, at=at) for row in shown),
        after=encode((shown[-1].number,)) if len(found) > limit else None,
    )
