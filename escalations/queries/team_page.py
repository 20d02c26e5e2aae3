"""Teams as their pages show them: who is on call now and next, the weeks ahead, who stands in, who could not decide."""

from dataclasses import dataclass
from datetime import datetime

from console.audit.queries import Entry, history
from escalations import contract
from escalations.domain import rota
from escalations.models import Override, Team
from escalations.queries.deciders import active_deciders
from escalations.queries.teams import BEHIND, rota_of, team_told

AHEAD = 6  # weeks


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """One week of the rota; `stand_ins` are those who take over for a part of it."""

    person: str
    starts_at: datetime
    ends_at: datetime
    stand_ins: tuple[contract.Override, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamLine:
    """One team of the list. `on_call` is who is really asked now, blank where nobody could decide."""

    told: contract.Team
    on_call: str
    standing: contract.Override | None
    after: str  # whose week comes next
    unable: tuple[str, ...]  # people of the order who may not decide


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamPage:
    """One team."""

    line: TeamLine
    weeks: tuple[Week, ...]
    history: tuple[Entry, ...]


def team_lines(*, at: datetime) -> tuple[TeamLine, ...]:
    """Give every team, by name, in a constant number of statements."""
    rows = list(Team.objects.order_by("name"))
    standing: dict[int, list[Override]] = {}
    for each in Override.objects.filter(ends_at__gt=at - BEHIND).order_by("id"):
        standing.setdefault(each.team_id, []).append(each)
    able = _able(rows, [one for many in standing.values() for one in many])
    return tuple(_line(row, standing.get(row.pk, []), able, at=at) for row in rows)


def team_page(*, name: str, at: datetime) -> TeamPage | None:
    """Give one team, None where there is none of that name."""
    row = Team.objects.filter(name=name).first()
    if row is None:
        return None
    standing = list(Override.objects.filter(team=row, ends_at__gt=at - BEHIND).order_by("id"))
    line = _line(row, standing, _able([row], standing), at=at)
    weeks = tuple(_week(shift, line.told.overrides) for shift in rota.shifts(rota_of(row), at, AHEAD))
    entries = history(subject=f"team:{name}", limit=50)
    return TeamPage(line=line, weeks=weeks, history=tuple(reversed(entries)))


def _able(rows: list[Team], standing: list[Override]) -> frozenset[str]:
    return active_deciders({name for row in rows for name in row.people} | {one.person for one in standing})


def _line(row: Team, standing: list[Override], able: frozenset[str], *, at: datetime) -> TeamLine:
    told = team_told(row, standing, at=at)
    asked = [name for name in told.on_call if name in able]
    running = [one for one in told.overrides if one.starts_at <= at < one.ends_at]
    shifts = rota.shifts(rota_of(row), at, 2)
    return TeamLine(
        told=told,
        on_call=asked[0] if asked else "",
        standing=running[-1] if running and asked and asked[0] == running[-1].person else None,
        after=shifts[1].person if len(shifts) > 1 else "",
        unable=tuple(name for name in told.people if name not in able),
    )


def _week(shift: rota.Shift, overrides: tuple[contract.Override, ...]) -> Week:
    within = [one for one in overrides if one.starts_at < shift.ends_at and one.ends_at > shift.starts_at]
    return Week(
        person=shift.person, starts_at=shift.starts_at, ends_at=shift.ends_at, stand_ins=tuple(within)
    )
