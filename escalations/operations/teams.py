"""Teams and their rota: administrators set them, whoever may decide arranges a stand-in."""

from datetime import datetime
from typing import Any

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.clean import clean_text
from console.kit.refusal import FieldError, Kind, Refused
from escalations import announce, contract
from escalations.domain import permissions, rota
from escalations.models import Override, Team
from escalations.queries.deciders import active_deciders
from escalations.queries.teams import team
from escalations.vocabulary import Source


class NoSuchTeam(Refused):
    """There is no team of that name, or no such stand-in of it."""

    kind, code = Kind.MISSING, "NO_SUCH_TEAM"


class BadTeam(Refused):
    """Somebody in the order could not decide, or the zone is not known."""

    kind, code = Kind.INVALID, "BAD_TEAM"


@transaction.atomic(durable=True)
def set_team(
    *, name: str, said: contract.SetTeam, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Team:
    """Make a team, or change it; a chain asks who is on call when it comes to it, so a change counts at once."""
    _insist_on_admin(by)
    _check(said)
    values: dict[str, Any] = {
        "people": list(said.people),
        "zone": said.zone,
        "weekday": said.weekday,
        "handover": said.hands_over_at,
        "changed_at": at,
    }
    row, made = Team.objects.select_for_update().get_or_create(
        name=name, defaults={**values, "since": said.since or at.date()}
    )
    if not made:
        since = said.since or row.since
        Team.objects.filter(pk=row.pk).update(version=row.version + 1, since=since, **values)
    detail: dict[str, object] = {**said.model_dump(mode="json")}
    verb = "team_made" if made else "team_set"
    _record(name, verb, by=by, at=at, source=source, detail=detail)
    return _told(name, at)


@transaction.atomic(durable=True)
def drop_team(*, name: str, by: Actor, at: datetime, source: Source = Source.API) -> None:
    """Drop a team; a chain that asks for it finds nobody, and says so."""
    _insist_on_admin(by)
    gone, _ = Team.objects.filter(name=name).delete()
    if not gone:
        raise NoSuchTeam("There is no such team.")
    _record(name, "team_dropped", by=by, at=at, source=source, detail={})


@transaction.atomic(durable=True)
def add_override(
    *, team: str, said: contract.AddOverride, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Team:
    """Let somebody stand in for a while; of two that overlap the later made one counts."""
    _insist_on_decider(by)
    row = _locked(team)
    _insist_on_deciders((said.person,), "person")
    made = Override.objects.create(
        team=row,
        person=said.person,
        starts_at=said.starts_at,
        ends_at=said.ends_at,
        by_name=clean_text(by.name, limit=160),
    )
    detail: dict[str, object] = {"override": made.pk, **said.model_dump(mode="json")}
    _record(team, "override_added", by=by, at=at, source=source, detail=detail)
    return _told(team, at)


@transaction.atomic(durable=True)
def drop_override(
    *, team: str, override_id: int, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Team:
    """Take a stand-in off again."""
    _insist_on_decider(by)
    row = _locked(team)
    gone, _ = Override.objects.filter(team=row, pk=override_id).delete()
    if not gone:
        raise NoSuchTeam("There is no such stand-in.")
    _record(team, "override_dropped", by=by, at=at, source=source, detail={"override": override_id})
    return _told(team, at)


def _check(said: contract.SetTeam) -> None:
    if said.zone not in rota.zones():
        hint = "Write it as Europe/Berlin."
        wrong = FieldError("NO_SUCH_ZONE", "zone", "a zone of the tz database", said.zone, hint)
        raise BadTeam("There is no such time zone.", errors=(wrong,))
    _insist_on_deciders(said.people, "people")


def _insist_on_deciders(names: tuple[str, ...], field: str) -> None:
    able = active_deciders(names)
    constraint = "people who may decide"
    errors = tuple(
        FieldError("NO_SUCH_DECIDER", field, constraint, name) for name in names if name not in able
    )
    if errors:
        raise BadTeam("Somebody in it could not decide.", errors=errors)


def _locked(name: str) -> Team:
    row = Team.objects.select_for_update().filter(name=name).first()
    if row is None:
        raise NoSuchTeam("There is no such team.")
    return row


def _record(
    name: str, verb: str, *, by: Actor, at: datetime, source: Source, detail: dict[str, object]
) -> None:
    record(subject=f"team:{name}", verb=verb, actor=by, at=at, source=source, detail=detail)
    announce.rules_changed(at=at)


def _told(name: str, at: datetime) -> contract.Team:
    found = team(name=name, at=at)
    if found is None:
        raise NoSuchTeam("There is no such team.")
    return found


def _insist_on_admin(by: Actor) -> None:
    if (refusal := permissions.why_not_rule(by)) is not None:
        raise refusal


def _insist_on_decider(by: Actor) -> None:
    if (refusal := permissions.why_not_pause(by)) is not None:
        raise refusal
