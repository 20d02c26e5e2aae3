"""Putting a case aside: for somebody, or for later. Neither moves its deadline or decides anything."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from console.kit.actor import Actor
from console.kit.refusal import FieldError, Kind, Refused
from escalations import contract
from escalations.domain import lifecycle
from escalations.operations.rows import load, move
from escalations.operations.ruling import chain_after
from escalations.operations.telling import tell_assignee
from escalations.queries.deciders import decider_named
from escalations.queries.states import state_of
from escalations.queries.wire import escalation
from escalations.vocabulary import Source, Verb


class NoSuchDecider(Refused):
    """Nobody of that name could decide the case."""

    kind, code = Kind.INVALID, "NO_SUCH_DECIDER"


@transaction.atomic(durable=True)
def assign(
    *, case_id: UUID, to: str, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Escalation:
    """Put a case on somebody's list by their name, or take it off with a blank one."""
    row = load(case_id, by=by, verb=Verb.ASSIGN)
    state = state_of(row)
    if (refusal := lifecycle.why_not_put_aside(state)) is not None:
        raise refusal
    person = decider_named(to) if to else None
    if to and person is None:
        wrong = FieldError("NO_SUCH_DECIDER", "person", "the name of an operator", to, "Ask who is there.")
        raise NoSuchDecider(f"There is no operator called {to!r}.", errors=(wrong,))
    columns = {"assignee_id": person.id if person else "", "assignee_name": person.name if person else ""}
    if (row.assignee_id, row.assignee_name) != tuple(columns.values()):
        detail: dict[str, object] = {"from": row.assignee_name, "to": columns["assignee_name"]}
        move(row, state, verb="assigned", by=by, at=at, source=source, detail=detail, **columns)
        tell_assignee(row, by=by, at=at)
    return escalation(row, at=at)


@transaction.atomic(durable=True)
def snooze(
    *, case_id: UUID, until: datetime | None, by: Actor, at: datetime, source: Source = Source.API
) -> contract.Escalation:
    """Let a case rest until a time before its deadline; None wakes it."""
    row = load(case_id, by=by, verb=Verb.SNOOZE)
    state = state_of(row)
    refusal = (
        lifecycle.why_not_snooze(state, until=until, at=at) if until else lifecycle.why_not_put_aside(state)
    )
    if refusal is not None:
        raise refusal
    if row.snoozed_until != until:
        detail: dict[str, object] = {"until": until.isoformat() if until else ""}
        verb = "snoozed" if until else "woken"
        columns = {"snoozed_until": until, **chain_after(row, row.lease_until, until, at=at)}
        move(row, state, verb=verb, by=by, at=at, source=source, detail=detail, **columns)
    return escalation(row, at=at)
