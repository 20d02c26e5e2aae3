"""The board of breakers, one breaker, its history, and the commands an instance has to know."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max, Q

from console.kit.paging import Page, decode, page_of
from telemetry import contract
from telemetry.domain.breakers import fleet_state, tally
from telemetry.models import (
    Breaker,
    BreakerAck,
    BreakerCommand,
    BreakerEvent,
    BreakerInstance,
    BreakerPart,
)
from telemetry.queries.board_shapes import AckRow, Board, Change, CommandRow, InstanceState, Place
from telemetry.vocabulary import (
    AckStatus,
    BreakerReason,
    BreakerScope,
    BreakerState,
    CommandVerb,
    FleetState,
)

CHANGES = 30
LOCKING = (CommandVerb.FORCE_OPEN, CommandVerb.DISABLE)  # the others are over when they are done
PENDING = timedelta(minutes=2)  # so long a board waits for words about a command that holds nothing
FORGOTTEN = timedelta(hours=24)  # an instance silent this long is no longer shown


def board(*, at: datetime, breaker: str = "", history: int = CHANGES) -> Board:
    """Give every breaker at its place, or one, with so many latest changes: five statements, whatever is stored."""
    rows = Breaker.objects.order_by("pk")
    places = {row.pk: number for number, row in enumerate(rows, start=1)}
    shown = [row for row in rows if not breaker or row.name == breaker]
    parts = _parts([row.pk for row in shown], at)
    standing = _standing([row.pk for row in shown], at)
    live = {part.instance_id for some in parts.values() for part in some if not _stale(part.instance, at)}
    silent = {part.instance_id for some in parts.values() for part in some} - live
    return Board(
        at=at,
        places=tuple(_place(row, places[row.pk], parts[row.pk], standing[row.pk], at) for row in shown),
        changes=tuple(breaker_history(breaker=breaker, limit=history).rows) if history else (),
        live=len(live),
        stale=len(silent),
    )


def not_closed_count(*, at: datetime) -> int:
    """Count the breakers that do not simply let calls through: two statements, for the rail of every page."""
    found: dict[int, list[BreakerPart]] = defaultdict(list)
    for part in BreakerPart.objects.filter(instance__heartbeat_at__gt=at - FORGOTTEN).select_related(
        "instance"
    ):
        found[part.breaker_id].append(part)
    return sum(_fleet(parts, at) is not FleetState.CLOSED for parts in found.values())


def is_open_everywhere(breaker_id: int, *, at: datetime) -> bool:
    """Say whether every live instance of a breaker refuses calls."""
    parts = BreakerPart.objects.filter(breaker_id=breaker_id, instance__heartbeat_at__gt=at - FORGOTTEN)
    state = _fleet(list(parts.select_related("instance")), at)
    return state in {FleetState.OPEN, FleetState.FORCED_OPEN}


def breaker_history(*, breaker: str = "", after: str | None = None, limit: int = 50) -> Page[Change]:
    """Give a page of changes, newest first, of one breaker or of all."""
    rows = BreakerEvent.objects.select_related("breaker", "instance", "agent").order_by("-occurred_at", "-pk")
    if breaker:
        rows = rows.filter(breaker__name=breaker)
    if after:
        moment, pk = decode(after, datetime.fromisoformat, int)
        rows = rows.filter(Q(occurred_at__lt=moment) | Q(occurred_at=moment, pk__lt=pk))
    return page_of([_change(row) for row in rows[: limit + 1]], limit=limit, key=lambda row: (row.at, row.id))


def commands(*, breaker: str = "", after: str | None = None, limit: int = 50) -> Page[CommandRow]:
    """Give a page of commands, newest first, with what each instance did."""
    rows = BreakerCommand.objects.select_related("breaker").order_by("-pk")
    if breaker:
        rows = rows.filter(breaker__name=breaker)
    if after:
        (number,) = decode(after, int)
        rows = rows.filter(pk__lt=number)
    found = list(rows[: limit + 1])
    acks = _acks(found)
    shown = [_command(row, acks[row.pk], addressed=0) for row in found]
    return page_of(shown, limit=limit, key=lambda row: (row.number,))


def command_numbered(*, number: int) -> contract.BreakerCommand:
    """Give a command as agents receive it."""
    return wire_command(BreakerCommand.objects.select_related("breaker").get(pk=number))


def commands_for(*, agent_id: int, instance: str, after: int, at: datetime) -> contract.BreakerCommands:
    """Give the commands in force that an instance has not heard of: all of them to one that asks after 0.

    An instance is told of breakers that its agent has; what is not addressed to it stays silent.
    """
    mine = Breaker.objects.filter(parts__instance__agent_id=agent_id).values("pk")
    live = BreakerCommand.objects.filter(
        pk__gt=after, breaker__in=mine, ended_at__isnull=True, expires_at__gt=at
    )
    rows = [
        row
        for row in live.select_related("breaker").order_by("pk")
        if row.instances is None or instance in row.instances
    ]
    newest = BreakerCommand.objects.aggregate(newest=Max("pk"))["newest"] or 0
    return contract.BreakerCommands(commands=[wire_command(row) for row in rows], after=max(after, newest))


def wire_command(row: BreakerCommand) -> contract.BreakerCommand:
    """Give a command row as agents receive it."""
    return contract.BreakerCommand(
        command_id=row.command_id,
        number=row.pk,
        breaker=row.breaker.name,
        command=CommandVerb(row.verb),
        instances=row.instances,
        expected_state=BreakerState(row.expected_state) if row.expected_state else None,
        reason=row.reason,
        by=row.issued_by,
        issued_at=row.issued_at,
        expires_at=row.expires_at,
    )


def _parts(breakers: Sequence[int], at: datetime) -> dict[int, list[BreakerPart]]:
    found: dict[int, list[BreakerPart]] = defaultdict(list)
    rows = BreakerPart.objects.filter(breaker__in=breakers, instance__heartbeat_at__gt=at - FORGOTTEN)
    for part in rows.select_related("instance", "instance__agent").order_by("instance__instance", "pk"):
        found[part.breaker_id].append(part)
    return found


def _standing(breakers: Sequence[int], at: datetime) -> dict[int, list[CommandRow]]:
    """Give the commands that stand over each breaker, newest last: those in force, and resets just sent."""
    of_these = BreakerCommand.objects.filter(breaker__in=breakers)
    in_force = Q(verb__in=LOCKING, ended_at__isnull=True, expires_at__gt=at)
    sent = Q(issued_at__gt=at - PENDING) & ~Q(verb__in=LOCKING)
    newest = list(of_these.filter(in_force | sent).select_related("breaker").order_by("pk"))
    acks = _acks(newest)
    stale_at = at - timedelta(seconds=settings.BREAKER_STALE_AFTER_S)
    live: dict[int, set[str]] = defaultdict(set)
    parts = BreakerPart.objects.filter(breaker__in=[row.breaker_id for row in newest])
    for one, name in parts.filter(instance__heartbeat_at__gt=stale_at).values_list(
        "breaker_id", "instance__instance"
    ):
        live[one].add(name)
    found: dict[int, list[CommandRow]] = defaultdict(list)
    for row in newest:
        meant = live[row.breaker_id] & set(row.instances) if row.instances else live[row.breaker_id]
        found[row.breaker_id].append(_command(row, acks[row.pk], addressed=len(meant)))
    return found


def _acks(rows: Iterable[BreakerCommand]) -> dict[int, list[BreakerAck]]:
    found: dict[int, list[BreakerAck]] = defaultdict(list)
    for ack in (
        BreakerAck.objects.filter(command__in=list(rows)).select_related("instance").order_by("at", "pk")
    ):
        found[ack.command_id].append(ack)
    return found


def _stale(instance: BreakerInstance, at: datetime) -> bool:
    return (at - instance.heartbeat_at).total_seconds() > settings.BREAKER_STALE_AFTER_S


def _fleet(parts: Sequence[BreakerPart], at: datetime) -> FleetState:
    live = tally(BreakerState(part.state) for part in parts if not _stale(part.instance, at))
    return fleet_state(live, quorum=settings.BREAKER_QUORUM_PERCENT / 100)


def _place(
    row: Breaker, number: int, parts: Sequence[BreakerPart], told: Sequence[CommandRow], at: datetime
) -> Place:
    live = [part for part in parts if not _stale(part.instance, at)]
    return Place(
        place=number,
        name=row.name,
        scope=BreakerScope(row.scope),
        fleet=_fleet(parts, at),
        counts=tally(BreakerState(part.state) for part in live),
        live=len(live),
        stale=len(parts) - len(live),
        instances=tuple(_instance(part, at) for part in parts),
        since=max((part.since for part in live), default=None),
        incomplete=any(part.missing for part in parts),
        command=next((one for one in reversed(told) if one.verb in LOCKING), None),
        pending=next((one for one in reversed(told) if one.verb not in LOCKING and one.waits), None),
        calls=_sum(live, "calls"),
        failed=_sum(live, "failed"),
        not_permitted=_sum(live, "not_permitted"),
        refused=row.not_permitted,
    )


def _instance(part: BreakerPart, at: datetime) -> InstanceState:
    return InstanceState(
        instance=part.instance.instance,
        agent=part.instance.agent.name,
        state=BreakerState(part.state),
        since=part.since,
        stale=_stale(part.instance, at),
        silent_s=max(0.0, (at - part.instance.heartbeat_at).total_seconds()),
        heartbeat_at=part.instance.heartbeat_at,
        open_until=part.open_until,
        reason=BreakerReason(part.reason) if part.reason else None,
        missing=tuple((first, last) for first, last in part.missing),
        detail=part.detail,
    )


def _sum(parts: Iterable[BreakerPart], name: str) -> int:
    return sum(int(part.detail.get("window", {}).get(name) or 0) for part in parts)


def _change(row: BreakerEvent) -> Change:
    return Change(
        id=row.pk,
        event_id=row.event_id,
        at=row.occurred_at,
        received_at=row.received_at,
        breaker=row.breaker.name,
        instance=row.instance.instance,
        agent=row.agent.name,
        from_state=BreakerState(row.from_state),
        to_state=BreakerState(row.to_state),
        reason=BreakerReason(row.reason),
        boot_id=row.boot_id,
        seq=row.seq,
        flags=tuple(row.flags),
        detail=row.detail,
    )


def _command(row: BreakerCommand, acks: Sequence[BreakerAck], *, addressed: int) -> CommandRow:
    return CommandRow(
        command_id=row.command_id,
        number=row.pk,
        breaker=row.breaker.name,
        verb=CommandVerb(row.verb),
        instances=None if row.instances is None else tuple(row.instances),
        reason=row.reason,
        by=row.issued_by,
        issued_at=row.issued_at,
        expires_at=row.expires_at,
        ended_at=row.ended_at,
        addressed=addressed or len(acks),
        acks=tuple(
            AckRow(
                instance=ack.instance.instance,
                status=AckStatus(ack.status),
                state=BreakerState(ack.state) if ack.state else None,
                at=ack.at,
                detail=ack.detail,
            )
            for ack in acks
        ),
    )
