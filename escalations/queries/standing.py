"""Where a case stands in the queue: its number among all that are open, and its neighbours."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q

from escalations.models import Case
from escalations.queries.queue import listed
from escalations.vocabulary import View


@dataclass(frozen=True, slots=True)
class Standing:
    """The refs before and after a case, its number where it is open and not snoozed, and how many there are."""

    before: str
    after: str
    number: int | None
    of: int


def standing(*, case_id: UUID, expires_at: datetime, person_id: str, at: datetime) -> Standing:
    """Give the place of a case among the open ones, by deadline; the first of them follows one that is not open."""
    rows = listed(view=View.OPEN, person_id=person_id, at=at)
    ahead = Q(expires_at__lt=expires_at) | Q(expires_at=expires_at, id__lt=case_id)
    here = Q(id=case_id)
    counted = rows.aggregate(of=Count("id"), ahead=Count("id", filter=ahead), here=Count("id", filter=here))
    if not counted["here"]:
        return Standing("", _ref(rows.order_by("expires_at", "id").first()), None, counted["of"])
    before = rows.filter(ahead).order_by("-expires_at", "-id").first()
    after = rows.exclude(ahead | here).order_by("expires_at", "id").first()
    return Standing(_ref(before), _ref(after), counted["ahead"] + 1, counted["of"])


def _ref(case: Case | None) -> str:
    return str(case) if case else ""
