"""Cases of one cause: those that are open, and what was decided about the others."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from console.kit.actor import Actor
from console.kit.refusal import Kind, Refused
from escalations.domain import plan
from escalations.models import Case, Decision, Revision
from escalations.queries.picking import reviewed
from escalations.queries.queue import OPEN
from escalations.queries.shapes.many import CausePage, Precedent
from escalations.vocabulary import Decision as Decided
from escalations.vocabulary import DecisionKind, Execution

MOST_CASES = 100
MOST_PRECEDENTS = 10


class NoSuchCause(Refused):
    """No case was ever opened for this cause."""

    kind, code = Kind.MISSING, "NO_SUCH_CAUSE"


def cause_page(*, fingerprint: str, actor: Actor, at: datetime) -> CausePage:
    """Give the open cases of a cause, the longest open first, and what was decided on it before."""
    alike = Case.objects.filter(fingerprint=fingerprint)
    newest = alike.order_by("-opened_at", "-id").first() if fingerprint else None
    if newest is None:
        raise NoSuchCause("There is no case of this cause.")
    undecided = alike.filter(decision__in=OPEN)
    found = list(undecided.order_by("opened_at", "id")[:MOST_CASES])  # newcomers join at the end
    opened = [case.opened_at for case in found] or [newest.opened_at]
    return CausePage(
        fingerprint=fingerprint,
        tool=newest.tool,
        failure_class=newest.failure_class,
        code=newest.code,
        trigger=newest.trigger,
        cases=reviewed(found, actor=actor, at=at),
        more=max(0, undecided.count() - len(found)),
        agents=tuple(sorted({case.agent_name for case in found or [newest]})),
        since=min(opened),
        latest=max(opened),
        precedents=precedents(fingerprint=fingerprint),
    )


def precedents(*, fingerprint: str, without: UUID | None = None) -> tuple[Precedent, ...]:
    """Give what was decided about cases of one cause, newest first; what ended without a word is no precedent."""
    if not fingerprint:
        return ()
    rows = Decision.objects.filter(
        case__fingerprint=fingerprint, kind=DecisionKind.DECISION, retracted_at__isnull=True
    )
    rows = rows.exclude(case=without) if without else rows
    made = list(rows.select_related("case").order_by("-decided_at", "-id")[:MOST_PRECEDENTS])
    packages = {
        (each.case_id, each.number): each.package
        for each in Revision.objects.filter(case__in=[row.case_id for row in made])
    }
    return tuple(_precedent(row, packages[row.case_id, row.revision]) for row in made)


def _precedent(row: Decision, packed: Mapping[str, Any]) -> Precedent:
    titles = {each.id: each.title for each in plan.proposals_of(packed)}
    return Precedent(
        ref=str(row.case),
        title=row.case.title,
        agent_name=row.case.agent_name,
        decision=Decided(row.state),
        execution=Execution(row.execution),
        by_name=row.by_name,
        decided_at=row.decided_at,
        plan=titles.get(row.proposal_id, ""),
        said=row.message or row.reason,
    )
