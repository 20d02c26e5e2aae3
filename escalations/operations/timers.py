"""What is due while nobody decides: the next step of a chain, a reminder, a rest that is over. One due thing each.

A timer that is late finds the case as it is now: what is decided is told to nobody, and whoever holds it is left alone.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from console.audit.operations import record
from console.kit.actor import Actor, ActorKind
from console.notices.vocabulary import Topic
from escalations import announce
from escalations.domain import chain, policy
from escalations.domain.lifecycle import UNDECIDED
from escalations.models import Case
from escalations.operations.chain_posts import put_chain_post
from escalations.operations.rows import move
from escalations.operations.ruling import next_reminder, quiet_until
from escalations.operations.telling import tell_people, tell_queue
from escalations.queries.deciders import decider_named
from escalations.queries.states import state_of
from escalations.queries.teams import on_call, people_of
from escalations.vocabulary import ChainDo, Source

CHAIN = Actor(ActorKind.SYSTEM, "chain", "chain")
CLOCK = Actor(ActorKind.SYSTEM, "clock", "clock")


@transaction.atomic(durable=True)
def chain_one(*, at: datetime) -> bool:
    """Do the chain step that is due for longest; say whether there was one.

    Somebody's live claim is the answer to a chain: it waits until the lease is over, as it does while a case rests.
    """
    row = _due("chain_at", at)
    if row is None:
        return False
    steps = policy.kept_chain(row.policy)
    place = chain.Place(row.chain_step, row.chain_round)
    if place.step >= len(steps):
        Case.objects.filter(pk=row.pk).update(chain_at=None)
    elif (later := quiet_until(row.lease_until, row.snoozed_until)) is not None and later > at:
        Case.objects.filter(pk=row.pk).update(chain_at=later)
    else:
        _do_step(row, steps, place, at=at)
    return True


@transaction.atomic(durable=True)
def remind_one(*, at: datetime) -> bool:
    """Remind of the case whose reminder is due for longest; say whether there was one."""
    row = _due("remind_at", at)
    if row is None:
        return False
    again = next_reminder(row.policy, expires_at=row.expires_at, after=at)
    Case.objects.filter(pk=row.pk).update(remind_at=again)
    state = state_of(row)
    once = f"due:{row.pk}:{row.revision}:{row.expires_at.isoformat()}:{again}"
    names = [row.holder_name] if state.held_at(at) else [row.assignee_name] if row.assignee_name else []
    if names:
        tell_people(row, names, topic=Topic.CASE_DUE, at=at, once=once)
    else:
        tell_queue(row, topic=Topic.CASE_DUE, at=at, once=once)
    detail: dict[str, object] = {"people": names, "queue": row.queue, "revision": row.revision}
    subject = f"case:{row.number}"
    record(subject=subject, verb="reminded", actor=CLOCK, at=at, source=Source.SWEEP, detail=detail)
    announce.case_changed(case_id=row.pk, version=row.version)
    return True


@transaction.atomic(durable=True)
def wake_one(*, at: datetime) -> bool:
    """Wake the case whose rest ended longest ago; say whether there was one."""
    row = _due("snoozed_until", at)
    if row is None:
        return False
    move(row, state_of(row), verb="woken", by=CLOCK, at=at, source=Source.SWEEP, snoozed_until=None)
    names = [row.assignee_name] if row.assignee_name else []
    tell_people(row, names, topic=Topic.CASE_ASSIGNED, at=at, once=f"woken:{row.pk}:{row.version}")
    return True


def _due(column: str, at: datetime) -> Case | None:
    due = Case.objects.filter(**{f"{column}__lte": at}, decision__in=UNDECIDED)
    return due.order_by(column, "id").select_for_update(skip_locked=True).first()


def _do_step(row: Case, steps: tuple[policy.ChainStep, ...], place: chain.Place, *, at: datetime) -> None:
    step = steps[place.step]
    done, columns = _acted(row, steps, place, at=at)
    due = chain.following(steps, place)
    columns |= {
        "chain_at": at + due.after if due else None,
        "chain_step": due.place.step if due else len(steps),
        "chain_round": due.place.round if due else place.round,
    }
    detail: dict[str, object] = {
        "step": place.step + 1,
        "of": len(steps),
        "round": place.round + 1,
        "do": step.do.value,
        **done,
    }
    move(
        row, state_of(row), verb="chain_step", by=CHAIN, at=at, source=Source.SWEEP, detail=detail, **columns
    )


def _acted(
    row: Case, steps: tuple[policy.ChainStep, ...], place: chain.Place, *, at: datetime
) -> tuple[dict[str, object], dict[str, Any]]:
    """Do what a step says; give what the audit keeps of it, and what changes of the case."""
    step = steps[place.step]
    once = f"chain:{row.pk}:{row.revision}:{place.round}:{place.step}"
    match step.do:
        case ChainDo.WEBHOOK:
            put_chain_post(row, step.url, at=at)
            return {"url": step.url}, {}
        case ChainDo.ON_CALL:
            return _handed_over(row, step.team, chain.turn_of(steps, place), at=at, once=once)
        case _:
            names = [step.person] if step.person else list(people_of(step.team))
            tell_people(row, names, topic=Topic.CASE_DUE, at=at, once=once)
            return {"people": names, "team": step.team}, {}


def _handed_over(
    row: Case, team: str, turn: int, *, at: datetime, once: str
) -> tuple[dict[str, object], dict[str, Any]]:
    asked = on_call(team=team, at=at)
    person = decider_named(asked[turn % len(asked)]) if asked else None
    if person is None:  # nobody is there: the chain goes on, and the audit says that nobody was told
        return {"team": team, "people": []}, {}
    tell_people(row, [person.name], topic=Topic.CASE_ASSIGNED, at=at, once=once)
    columns: Mapping[str, Any] = {"assignee_id": person.id, "assignee_name": person.name}
    return {"team": team, "people": [person.name]}, dict(columns)
