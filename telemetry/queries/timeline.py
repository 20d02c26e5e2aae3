"""What stood beside the numbers of a tool: spikes, deploys, its breakers and what people told them, on one axis."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Q, QuerySet

from telemetry.models import BreakerCommand, BreakerEvent, Marker, Spike, Tool
from telemetry.queries.guards import guards
from telemetry.vocabulary import BreakerState, SpikeKind

MOST = 500
MOST_CHANGES = 5_000
_OPEN = frozenset({BreakerState.OPEN, BreakerState.FORCED_OPEN})


class _Move(NamedTuple):
    """A change of a breaker in one instance, as much as says when it was open."""

    breaker: str
    instance_id: int
    from_state: str
    to_state: str
    at: datetime


class MarkKind(StrEnum):
    """What happened at a moment."""

    DEPLOY = "deploy"
    BREAKER = "breaker"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at one moment. `word` is a version, a breaker's state or a command's verb."""

    at: datetime
    kind: MarkKind
    name: str
    word: str
    by: str = ""
    reason: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch during which something was so; without an end it still is. `of` is a class, or a breaker's name."""

    start: datetime
    end: datetime | None
    of: str
    spike: int | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """Everything beside: spikes as bands, breakers that were open as caps, and moments, newest first."""

    bands: tuple[Band, ...]
    caps: tuple[Band, ...]
    marks: tuple[Mark, ...]


def timeline(
    *, tool: str, since: datetime, until: datetime, agent: str = "", guarded_by: Sequence[str] | None = None
) -> Timeline:
    """Give what stood beside a tool between two moments; without a tool, what stood beside all of them.

    Whoever knows which breakers guard the tool says so: finding them costs as much as the rest.
    """
    names = guarded_by if guarded_by is not None else guards(tool) if tool else ()
    events = _events(names, since, until)
    marks = [*_deploys(tool, since, until, agent), *_commands(names, since, until), *map(_change, events)]
    return Timeline(
        bands=_bands(tool, since, until),
        caps=tuple(_caps([_move(row) for row in events], since)),
        marks=tuple(sorted(marks, key=lambda mark: mark.at, reverse=True)[:MOST]),
    )


def changes(names: Sequence[str], *, since: datetime, until: datetime) -> tuple[Mark, ...]:
    """Give the changes of some breakers between two moments, in their order."""
    return tuple(map(_change, _events(names, since, until)))


def _change(row: BreakerEvent) -> Mark:
    by = f"{row.agent.name} {row.instance.instance}"
    return Mark(row.occurred_at, MarkKind.BREAKER, row.breaker.name, row.to_state, by, row.reason)


def _bands(tool: str, since: datetime, until: datetime) -> tuple[Band, ...]:
    tools = Tool.objects.filter(name=tool).values("pk")
    rows = Spike.objects.filter(opened_at__lt=until).exclude(kind=SpikeKind.NEW)
    rows = rows.filter(Q(closed_at__isnull=True) | Q(closed_at__gte=since))
    rows = rows.filter(tool_id__in=tools) if tool else rows.filter(kind=SpikeKind.PERSON)
    return tuple(
        Band(max(row.opened_at, since), row.closed_at, row.subject, row.pk)
        for row in rows.order_by("pk")[:MOST]
    )


def _deploys(tool: str, since: datetime, until: datetime, agent: str) -> list[Mark]:
    rows = Marker.objects.filter(at__gte=since, at__lt=until)
    if tool:
        rows = rows.filter(tool__in=["", tool])
    if agent:
        rows = rows.filter(name=agent)
    return [
        Mark(row.at, MarkKind.DEPLOY, row.name, row.version, row.made_by, url=row.url) for row in rows[:MOST]
    ]


def _commands(names: Iterable[str], since: datetime, until: datetime) -> list[Mark]:
    rows = BreakerCommand.objects.filter(breaker__name__in=names, issued_at__gte=since, issued_at__lt=until)
    return [
        Mark(row.issued_at, MarkKind.COMMAND, row.breaker.name, row.verb, row.issued_by, row.reason)
        for row in rows.select_related("breaker")[:MOST]
    ]


def _events(names: Iterable[str], since: datetime, until: datetime) -> list[BreakerEvent]:
    rows = _changed(names, since, until).select_related("breaker", "instance", "agent")
    return list(rows[:MOST_CHANGES])


def _changed(names: Iterable[str], since: datetime, until: datetime) -> QuerySet[BreakerEvent]:
    rows = BreakerEvent.objects.filter(breaker__name__in=names, occurred_at__gte=since, occurred_at__lt=until)
    return rows.order_by("occurred_at", "pk")


def _move(row: BreakerEvent) -> _Move:
    return _Move(row.breaker.name, row.instance_id, row.from_state, row.to_state, row.occurred_at)


def opened(names: Sequence[str], *, since: datetime, until: datetime) -> dict[str, tuple[Band, ...]]:
    """Give when each breaker was open in at least one instance: one statement for all of them."""
    found: dict[str, list[Band]] = defaultdict(list)
    rows = _changed(names, since, until).values_list(
        "breaker__name", "instance_id", "from_state", "to_state", "occurred_at"
    )
    for cap in _caps([_Move(*row) for row in rows[:MOST_CHANGES]], since):
        found[cap.of].append(cap)
    return {name: tuple(caps) for name, caps in found.items()}


def _caps(rows: Sequence[_Move], start: datetime) -> list[Band]:
    """Give the stretches during which at least one instance of a breaker was open, from changes in their order.

    An instance whose first change is away from open was open from the start.
    """
    open_in: dict[str, set[int]] = defaultdict(set)
    since: dict[str, datetime] = {}
    heard: set[tuple[str, int]] = set()
    for row in rows:
        key = (row.breaker, row.instance_id)
        if key not in heard and row.from_state in _OPEN:
            open_in[row.breaker].add(row.instance_id)
            since[row.breaker] = start
        heard.add(key)
    caps: list[Band] = []
    for row in rows:
        name, before = row.breaker, bool(open_in[row.breaker])
        if row.to_state in _OPEN:
            open_in[name].add(row.instance_id)
        else:
            open_in[name].discard(row.instance_id)
        now = bool(open_in[name])
        if now and not before:
            since[name] = row.at
        elif before and not now:
            caps.append(Band(since.pop(name), row.at, name))
    return caps + [Band(at, None, name) for name, at in since.items()]
