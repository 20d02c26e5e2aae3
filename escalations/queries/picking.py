"""Cases that somebody picked, each as it could be decided now; in a constant number of statements."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from console.kit.actor import Actor
from escalations.domain import package
from escalations.models import Case, Decision, Revision
from escalations.queries.case_page import PREFIX, refusals
from escalations.queries.package_view import proposal_views
from escalations.queries.queue import listed, row_of
from escalations.queries.shapes import ProposalView
from escalations.queries.shapes.many import Reviewed
from escalations.vocabulary import View

MOST = 500


def picked(*, refs: Iterable[str], actor: Actor, at: datetime) -> tuple[Reviewed, ...]:
    """Give the cases of these names in their order; what is no case of ours is left out."""
    wanted = [int(digits) for ref in refs if (digits := _digits(ref))][:MOST]
    found = {case.number: case for case in Case.objects.filter(number__in=wanted)}
    cases = [found[number] for number in dict.fromkeys(wanted) if number in found]
    return reviewed(cases, actor=actor, at=at)


def refs_in(*, view: View, person_id: str, at: datetime, search: str) -> tuple[str, ...]:
    """Name every case of a view and filter, at most so many as can be done at once."""
    rows = listed(view=view, person_id=person_id, at=at, search=search)
    numbers = rows.order_by("expires_at", "id").values_list("number", flat=True)[:MOST]
    return tuple(f"{PREFIX}{number}" for number in numbers)


def reviewed(cases: Sequence[Case], *, actor: Actor, at: datetime) -> tuple[Reviewed, ...]:
    """Give each case with its own plan and what could be refused."""
    revisions = {
        (each.case_id, each.number): each.package for each in Revision.objects.filter(case__in=cases)
    }
    made = {
        (each.case_id, each.revision): each
        for each in Decision.objects.filter(case__in=cases, retracted_at__isnull=True)
    }
    return tuple(
        _one(case, revisions[case.pk, case.revision], made.get((case.pk, case.revision)), actor=actor, at=at)
        for case in cases
    )


def _one(
    case: Case, packed: dict[str, Any], made: Decision | None, *, actor: Actor, at: datetime
) -> Reviewed:
    return Reviewed(
        row=row_of(case, at=at, same_cause=0),
        plan=_own_plan(case, packed),
        allowed=tuple(sorted(package.offered(packed))),
        quorum=int(case.policy.get("quorum") or 1),
        why_not=refusals(case, made, packed, actor=actor, at=at),
    )


def _own_plan(case: Case, packed: dict[str, Any]) -> ProposalView | None:
    chosen = package.recommended_plan(packed)
    if chosen is None:
        return None
    views = proposal_views(case.pk, case.revision, packed)
    return next((view for view in views if view.id == chosen.id), None)


def _digits(ref: str) -> str:
    digits = ref.removeprefix(PREFIX)
    fits = ref.startswith(PREFIX) and digits.isascii() and digits.isdecimal() and len(digits) <= 18
    return digits if fits else ""
