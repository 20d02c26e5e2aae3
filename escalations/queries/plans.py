"""Each case's own plan: what "approve each one's own plan" means, and what is known of its steps."""

from typing import Any
from uuid import UUID

from escalations.domain import package, plan
from escalations.models import Case, Revision
from escalations.vocabulary import OnTimeout
from telemetry.queries.tool_effects import writing_tools


def recommended_plan(*, case_id: UUID) -> str | None:
    """Give the id of the plan its agent recommends, or of the only one; None where there is neither."""
    case = Case.objects.filter(pk=case_id).first()
    if case is None:
        return None
    packed = Revision.objects.get(case=case, number=case.revision).package
    chosen = package.recommended_plan(packed)
    return chosen.id if chosen else None


def as_known(packed: dict[str, Any]) -> dict[str, Any]:
    """Give a package with those reads as writes that are known to write: nobody decides by an agent's word alone.

    What is known is what its calls were reported with, by whichever agent; a tool of which nothing was ever reported is
    what the plan says.
    """
    reads = plan.planned_tools(packed)
    writing = writing_tools(reads) if reads else frozenset()
    return plan.stricter(packed, writing) if writing else packed


def with_default_as_known(packed: dict[str, Any]) -> dict[str, Any]:
    """Give the same where a default would approve; nothing else asks what a step does."""
    declared = packed.get("on_timeout") or {}
    return as_known(packed) if declared.get("action") == OnTimeout.APPROVE else packed
