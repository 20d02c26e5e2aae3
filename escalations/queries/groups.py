"""Cases of one cause: the groups there are, who is in one, and who has joined."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Min, Q

from escalations import contract
from escalations.models import Case
from escalations.queries.queue import OPEN

MOST_NEW = 100


def groups(*, at: datetime, limit: int = 50) -> contract.Groups:
    """Give every cause with more than one undecided case, the largest first. One statement."""
    alike = Case.objects.filter(decision__in=OPEN).exclude(fingerprint="").values("fingerprint")
    counted = alike.annotate(
        cases=Count("id"),
        held=Count("id", filter=Q(lease_until__gt=at)),
        agents=Count("agent_id", distinct=True),
        oldest_at=Min("opened_at"),
        newest_at=Max("opened_at"),
        soonest=Min("expires_at"),
        one_tool=Max("tool"),
        one_class=Max("failure_class"),
        one_code=Max("code"),
    )
    rows = counted.filter(cases__gte=2).order_by("-cases", "oldest_at", "fingerprint")[:limit]
    return contract.Groups(
        groups=tuple(
            contract.Group(
                fingerprint=row["fingerprint"],
                tool=row["one_tool"],
                failure_class=row["one_class"],
                code=row["one_code"],
                cases=row["cases"],
                held=row["held"],
                agents=row["agents"],
                oldest_at=row["oldest_at"],
                newest_at=row["newest_at"],
                expires_at=row["soonest"],
            )
            for row in rows
        )
    )


def has_company(row: Case) -> bool:
    """Say whether another case of the same cause is undecided."""
    alike = Case.objects.filter(fingerprint=row.fingerprint, decision__in=OPEN)
    return bool(row.fingerprint) and alike.exclude(pk=row.pk).exists()


def members(*, fingerprint: str, ids: Collection[UUID]) -> frozenset[UUID]:
    """Give which of these cases are of a cause, decided or not."""
    if not fingerprint:
        return frozenset()
    return frozenset(Case.objects.filter(fingerprint=fingerprint, pk__in=ids).values_list("pk", flat=True))


def newcomers(*, fingerprint: str, besides: Collection[UUID]) -> tuple[contract.Newcomer, ...]:
    """Give the undecided cases of a cause that were not among those looked at, the newest first."""
    rows = Case.objects.filter(fingerprint=fingerprint, decision__in=OPEN).exclude(pk__in=besides)
    return tuple(
        contract.Newcomer(id=row.pk, ref=str(row), title=row.title, opened_at=row.opened_at)
        for row in rows.order_by("-opened_at", "-id")[:MOST_NEW]
    )
