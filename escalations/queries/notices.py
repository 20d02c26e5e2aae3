"""Whether anybody still wants a notice about a case; asked of its row as the notice is about to be sent."""

from uuid import UUID

from console.notices.vocabulary import Topic
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case, Vote


def case_wanted(topic: str, key: str, person_id: str) -> bool:
    """A decided case is told to nobody again, one that is in order needs no attention, a given vote is not asked for."""
    row = Case.objects.filter(pk=UUID(key)).first()
    if row is None:
        return False
    match topic:
        case Topic.BREAK_GLASS:
            return True
        case Topic.CASE_ATTENTION:
            return row.needs_attention
        case Topic.CASE_ASSIGNED if person_id and row.assignee_id != person_id:
            return False
        case Topic.VOTE_WANTED if Vote.objects.filter(
            case=row, revision=row.revision, person_id=person_id
        ).exists():
            return False
    return row.decision in UNDECIDED
