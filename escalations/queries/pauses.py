"""What is held back: whether a case may be decided by anybody but a person just now."""

from datetime import datetime

from django.db.models import Q

from escalations import contract
from escalations.models import Case, Pause
from escalations.vocabulary import Paused


def pauses(*, at: datetime) -> contract.Pauses:
    """Give everything that is held back now."""
    rows = Pause.objects.filter(_live(at)).order_by("kind", "name")
    return contract.Pauses(pauses=tuple(pause_told(row) for row in rows))


def held_back(row: Case, *, at: datetime) -> str:
    """Say why no automatic decision may be made about a case, blank where one may."""
    named = Q(kind=Paused.AGENT, name=row.agent_name)
    if policy := row.policy.get("name"):
        named |= Q(kind=Paused.POLICY, name=policy)
    found = Pause.objects.filter(_live(at) & named).order_by("kind", "id").first()
    return "" if found is None else f"{found.by_name} holds automatic decisions back: {found.reason}"


def pause_told(row: Pause) -> contract.Pause:
    """Give one pause as the API tells it."""
    return contract.Pause(
        kind=Paused(row.kind),
        name=row.name,
        reason=row.reason,
        by=row.by_name,
        since=row.since,
        until=row.until,
    )


def _live(at: datetime) -> Q:
    return Q(until__isnull=True) | Q(until__gt=at)
