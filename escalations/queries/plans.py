"""Each case's own plan: what "approve each one's own plan" means."""

from uuid import UUID

from escalations.domain import package
from escalations.models import Case, Revision


def recommended_plan(*, case_id: UUID) -> str | None:
    """Give the id of the plan its agent recommends, or of the only one; None where there is neither."""
    case = Case.objects.filter(pk=case_id).first()
    if case is None:
        return None
    packed = Revision.objects.get(case=case, number=case.revision).package
    chosen = package.recommended_plan(packed)
    return chosen.id if chosen else None
