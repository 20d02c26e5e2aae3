"""Another case of the same cause, in one line."""

from escalations.models import Case
from escalations.queries.shapes import RelatedCase
from escalations.vocabulary import Decision, Execution


def related_case(case: Case) -> RelatedCase:
    """Give a case as others of its cause show it."""
    return RelatedCase(
        id=case.pk,
        ref=str(case),
        title=case.title,
        agent_name=case.agent_name,
        decision=Decision(case.decision),
        execution=Execution(case.execution),
        holder_name=case.holder_name,
        decided_by=case.decided_by,
        opened_at=case.opened_at,
        decided_at=case.decided_at,
    )
