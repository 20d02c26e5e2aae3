"""Teams as the rota asks them and as people see them."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from escalations import contract
from escalations.domain import rota
from escalations.models import Override, Team
from escalations.queries.deciders import active_deciders

BEHIND = timedelta(days=1)


def teams(*, at: datetime) -> contract.Teams:
    """Give every team with whoever is on call now."""
    found = list(Team.objects.order_by("name"))
    standing: dict[int, list[Override]] = {}
    for row in Override.objects.filter(ends_at__gt=at - BEHIND).order_by("id"):
        standing.setdefault(row.team_id, []).append(row)
    return contract.Teams(teams=tuple(team_told(row, standing.get(row.pk, ()), at=at) for row in found))


def team(*, name: str, at: datetime) -> contract.Team | None:
    """Give one team, None where there is none of that name."""
    row = Team.objects.filter(name=name).first()
    if row is None:
        return None
    standing = Override.objects.filter(team=row, ends_at__gt=at - BEHIND).order_by("id")
    return team_told(row, list(standing), at=at)


def on_call(*, team: str, at: datetime) -> tuple[str, ...]:
    """Give a team's people in the order they are asked, whoever is on call first.

    Only those who may decide: whoever has left or lost the role is passed over.
    """
    row = Team.objects.filter(name=team).first()
    if row is None:
        return ()
    standing = Override.objects.filter(team=row, starts_at__lte=at, ends_at__gt=at).order_by("id")
    asked = rota.order(rota_of(row), at, [_stand_in(each) for each in standing])
    able = active_deciders(asked)
    return tuple(name for name in asked if name in able)


def people_of(team: str) -> tuple[str, ...]:
    """Give everybody of a team who may decide, in its order."""
    row = Team.objects.filter(name=team).first()
    if row is None:
        return ()
    able = active_deciders(row.people)
    return tuple(name for name in row.people if name in able)


def rota_of(row: Team) -> rota.Rota:
    """Read a team's rota."""
    return rota.Rota(
        people=tuple(row.people),
        zone=row.zone,
        weekday=row.weekday,
        handover=row.handover,
        since=row.since,
    )


def team_told(row: Team, standing: Iterable[Override], *, at: datetime) -> contract.Team:
    """Give one team as the API tells it."""
    overrides = tuple(standing)
    plan = rota_of(row)
    running = rota.shifts(plan, at, 1)
    return contract.Team(
        name=row.name,
        version=row.version,
        people=tuple(row.people),
        zone=row.zone,
        weekday=row.weekday,
        handover=row.handover.strftime("%H:%M"),
        since=row.since,
        on_call=rota.order(plan, at, [_stand_in(each) for each in overrides]),
        next_handover=running[0].ends_at if running else None,
        overrides=tuple(_override(each) for each in overrides),
    )


def _stand_in(row: Override) -> rota.StandIn:
    return rota.StandIn(person=row.person, starts_at=row.starts_at, ends_at=row.ends_at)


def _override(row: Override) -> contract.Override:
    return contract.Override(
        id=row.pk, person=row.person, starts_at=row.starts_at, ends_at=row.ends_at, by=row.by_name
    )
