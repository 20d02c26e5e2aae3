"""Every write about breakers that agents make: events, heartbeats, acknowledgements."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from pydantic import BaseModel

from console.kit.refusal import Kind, Refused
from telemetry import announce
from telemetry.contract import (
    AcknowledgeCommand,
    BreakerEvent,
    BreakerEventsAnswer,
    BreakerNow,
    Heartbeat,
    RejectedEvent,
)
from telemetry.domain.breakers import Known, Placed, Said, lives, place
from telemetry.domain.buckets import AHEAD
from telemetry.models import (
    Breaker,
    BreakerAck,
    BreakerCommand,
    BreakerInstance,
    BreakerPart,
)
from telemetry.models import BreakerEvent as EventRow
from telemetry.operations import totals
from telemetry.operations.telling import tell_where_open
from telemetry.vocabulary import BreakerScope, BreakerState

OPEN = frozenset({BreakerState.OPEN, BreakerState.FORCED_OPEN})
_DETAIL = {"window", "thresholds", "counted_classes", "class_counts", "trigger", "command_id"}


class NoSuchCommand(Refused):
    """There is no such command, or it was not meant for this agent."""

    kind, code = Kind.MISSING, "NO_SUCH_COMMAND"


class NoSuchInstance(Refused):
    """The instance never sent a heartbeat or an event."""

    kind, code = Kind.MISSING, "NO_SUCH_INSTANCE"


@dataclass(slots=True)
class _Beat:
    """What is known while one request is written: breakers by name, instances, and the places of breakers in them."""

    agent_id: int
    at: datetime
    breakers: dict[str, Breaker]
    instances: dict[str, BreakerInstance]
    parts: dict[tuple[int, int], BreakerPart]
    refused: Counter[int]


@transaction.atomic(durable=True)
def report_events(
    *, agent_id: int, events: Sequence[BreakerEvent], rejected: Sequence[RejectedEvent], at: datetime
) -> BreakerEventsAnswer:
    """Store events, each once, and let the newest of each breaker stand."""
    known = set(
        EventRow.objects.filter(agent_id=agent_id, event_id__in=[one.event_id for one in events]).values_list(
            "event_id", flat=True
        )
    )
    beat = _load(
        agent_id, [(one.breaker, one.scope) for one in events], {one.instance_id for one in events}, at
    )
    rows: list[EventRow] = []
    duplicate = 0
    for one in _in_order(events):
        if one.event_id in known:
            duplicate += 1
            continue
        known.add(one.event_id)
        rows.append(_event(beat, one))
    EventRow.objects.bulk_create(rows)
    totals.add_changes(rows)
    totals.add_refused(beat.refused)
    tell_where_open({row.breaker for row in rows if row.to_state in OPEN}, at=at)
    for name in {row.breaker.name: row.breaker for row in rows}:
        announce.breaker_on_commit(
            name=name, revision=max(row.pk for row in rows if row.breaker.name == name)
        )
    return BreakerEventsAnswer(accepted=len(rows), duplicate=duplicate, rejected=list(rejected))


@transaction.atomic(durable=True)
def beat(*, agent_id: int, instance: str, said: Heartbeat, at: datetime) -> bool:
    """Take a heartbeat; give False where it comes from a life that has ended, and changes nothing."""
    here = _load(
        agent_id, [(one.breaker, one.scope) for one in said.breakers], {instance}, at, boot_id=said.boot_id
    )
    row = here.instances[instance]
    if said.boot_id in row.past_boots:
        return False
    row.boot_id, past = lives(said.boot_id, row.boot_id, row.past_boots)
    row.past_boots = list(past)
    woke = row.stale_since is not None
    row.heartbeat_at, row.stale_since = at, None
    row.agent_version, row.labels = said.agent_version or "", said.labels
    row.save()
    changed = [one.breaker for one in said.breakers if _stands(here, row, one)]
    totals.add_refused(here.refused)
    named = {one.breaker for one in said.breakers}
    gone = BreakerPart.objects.filter(instance=row).exclude(breaker__name__in=named)
    changed += list(gone.values_list("breaker__name", flat=True)) if gone.exists() else []
    gone.delete()  # a breaker the process no longer has is in no state
    opened = {one.breaker for one in said.breakers if one.state in OPEN} & set(changed)
    tell_where_open({here.breakers[name] for name in opened}, at=at)
    for name in named if woke else set(changed):
        announce.breaker_on_commit(name=name, revision=int(at.timestamp() * 1000))
    return True


@transaction.atomic(durable=True)
def acknowledge_command(*, agent_id: int, said: AcknowledgeCommand, at: datetime) -> None:
    """Keep what an instance did with a command; a later word replaces an earlier one."""
    command = BreakerCommand.objects.select_related("breaker").filter(command_id=said.command_id).first()
    instance = BreakerInstance.objects.filter(agent_id=agent_id, instance=said.instance_id).first()
    if instance is None:
        raise NoSuchInstance(f"No instance {said.instance_id!r} of this agent is known.")
    meant = command is not None and (command.instances is None or said.instance_id in command.instances)
    if command is None or not meant:
        raise NoSuchCommand("There is no such command for this instance.")
    BreakerAck.objects.update_or_create(
        command=command,
        instance=instance,
        defaults={"status": said.status, "state": said.state or "", "at": at, "detail": said.detail or ""},
    )
    announce.breaker_on_commit(name=command.breaker.name, revision=command.pk)


def _load(
    agent_id: int,
    named: Sequence[tuple[str, BreakerScope]],
    instances: set[str],
    at: datetime,
    boot_id: str = "",
) -> _Beat:
    """Make what is missing and read the rest: three tables, one statement each where nothing is new."""
    scopes = dict(named)
    Breaker.objects.bulk_create(
        [Breaker(name=name, scope=scopes[name], first_seen_at=at) for name in sorted(scopes)],
        ignore_conflicts=True,
    )
    BreakerInstance.objects.bulk_create(
        [
            BreakerInstance(agent_id=agent_id, instance=name, boot_id=boot_id, heartbeat_at=at)
            for name in sorted(instances)
        ],
        ignore_conflicts=True,
    )
    # Locked in one order, so that two requests of one process wait for each other and do not deadlock.
    mine = BreakerInstance.objects.select_for_update().filter(agent_id=agent_id, instance__in=instances)
    found = {row.instance: row for row in mine.order_by("pk")}
    breakers = {row.name: row for row in Breaker.objects.filter(name__in=list(scopes))}
    parts = BreakerPart.objects.filter(instance__in=found.values(), breaker__in=breakers.values())
    places = {(part.breaker_id, part.instance_id): part for part in parts}
    return _Beat(agent_id, at, breakers, found, places, Counter())


def _in_order(events: Sequence[BreakerEvent]) -> list[BreakerEvent]:
    """Give events by life of their process, lives by when they first spoke, then by number."""
    first: dict[tuple[str, str], datetime] = {}
    for one in events:
        life = (one.instance_id, one.boot_id)
        first[life] = min(first.get(life, one.occurred_at), one.occurred_at)
    return sorted(
        events, key=lambda one: (first[one.instance_id, one.boot_id], one.boot_id, one.breaker, one.seq)
    )


def _event(here: _Beat, one: BreakerEvent) -> EventRow:
    breaker, instance = here.breakers[one.breaker], here.instances[one.instance_id]
    said = Said(one.boot_id, one.seq, one.to_state, one.occurred_at, one.from_state)
    placed = place(said, _known(here, breaker, instance), instance.past_boots)
    flags = [*placed.flags, *(["clock"] if one.occurred_at > here.at + AHEAD else [])]
    detail = _detail(one)
    _keep(
        here,
        breaker,
        instance,
        said,
        placed,
        tool=one.tool,
        reason=one.reason,
        until=one.open_until,
        detail=detail,
    )
    _follow_life(here, instance, one.boot_id, placed)
    return EventRow(
        agent_id=here.agent_id,
        event_id=one.event_id,
        breaker=breaker,
        instance=instance,
        boot_id=one.boot_id,
        seq=one.seq,
        occurred_at=min(one.occurred_at, here.at + AHEAD),
        received_at=here.at,
        from_state=one.from_state,
        to_state=one.to_state,
        reason=one.reason,
        flags=flags,
        detail={**detail, **({"open_until": one.open_until.isoformat()} if one.open_until else {})},
    )


def _stands(here: _Beat, instance: BreakerInstance, one: BreakerNow) -> bool:
    """Let a heartbeat's word about one breaker stand; give whether its state changed by it."""
    breaker = here.breakers[one.breaker]
    known = _known(here, breaker, instance)
    said = Said(instance.boot_id, one.seq, one.state, one.since)
    placed = place(said, known, instance.past_boots)
    _keep(here, breaker, instance, said, placed, tool=one.tool, until=one.open_until, detail=_detail(one))
    return placed.current and (
        known is None or known.state is not one.state or known.missing != placed.missing
    )


def _known(here: _Beat, breaker: Breaker, instance: BreakerInstance) -> Known | None:
    part = here.parts.get((breaker.pk, instance.pk))
    if part is None:
        return None
    missing = tuple((first, last) for first, last in part.missing)
    return Known(part.boot_id, part.seq, BreakerState(part.state), part.since, missing)


def _keep(
    here: _Beat,
    breaker: Breaker,
    instance: BreakerInstance,
    said: Said,
    placed: Placed,
    *,
    tool: str | None,
    until: datetime | None,
    detail: dict[str, Any],
    reason: str | None = None,
) -> None:
    part = here.parts.setdefault((breaker.pk, instance.pk), BreakerPart(breaker=breaker, instance=instance))
    part.missing = [list(pair) for pair in placed.missing]
    if placed.current:
        moved = (part.state, part.boot_id) != (said.state, said.boot_id)
        n, counted = totals.since_last(
            part.detail, detail, ended=moved and reason is not None, began=moved and reason is None
        )
        here.refused[breaker.pk] += n
        part.boot_id, part.seq, part.state = said.boot_id, said.seq, said.state
        part.since = min(said.at, here.at + AHEAD)
        part.tool, part.open_until = tool or "", until
        part.reason = reason or ("" if moved else part.reason)
        part.detail = {**({} if moved else part.detail), **detail, totals.COUNTED: counted}
    part.save()


def _follow_life(here: _Beat, instance: BreakerInstance, boot_id: str, placed: Placed) -> None:
    """Note a new life of the process, and that it lives."""
    if not placed.current:
        return
    current, past = lives(boot_id, instance.boot_id or boot_id, instance.past_boots)
    if current != instance.boot_id or here.at - instance.heartbeat_at > timedelta(seconds=1):
        instance.boot_id, instance.past_boots, instance.heartbeat_at = current, list(past), here.at
        instance.stale_since = None
        instance.save()


def _detail(said: BaseModel) -> dict[str, Any]:
    return said.model_dump(mode="json", include=_DETAIL, exclude_none=True)


@transaction.atomic(durable=True)
def notice_one_silence(*, stale_after_s: int, at: datetime) -> bool:
    """Note one instance that has gone silent, so that boards say so; give whether there was one."""
    silent = BreakerInstance.objects.filter(
        stale_since__isnull=True, heartbeat_at__lt=at - timedelta(seconds=stale_after_s)
    )
    row = silent.order_by("heartbeat_at", "pk").first()
    if row is None:
        return False
    mine = BreakerInstance.objects.filter(pk=row.pk, heartbeat_at=row.heartbeat_at, stale_since__isnull=True)
    if mine.update(stale_since=at):
        for name in BreakerPart.objects.filter(instance=row).values_list("breaker__name", flat=True):
            announce.breaker_on_commit(name=name, revision=int(at.timestamp() * 1000))
    return True
