"""What of tools and breakers is told to people: notices in the transaction of what they tell of."""

from collections.abc import Iterable
from datetime import datetime
from urllib.parse import quote

from django.db.models import Q

from console.kit.actor import Actor
from console.notices.domain.audience import ANYBODY, Audience
from console.notices.domain.words import Words
from console.notices.operations import notify
from console.notices.vocabulary import Topic, Urgency
from telemetry.models import Breaker, BreakerCommand, Mute, Spike, Tool
from telemetry.queries.breakers import is_open_everywhere
from telemetry.vocabulary import SpikeKind

WHOEVER_ASKS = Audience(roles=frozenset({ANYBODY}))
FLAPPING_S = 900  # a breaker that opens again and again is told of once in so long


def tell_of_spike(spike: Spike, *, at: datetime) -> None:
    """Tell that a spike opened or closed, or of a new failure, unless somebody muted it."""
    tool = Tool.objects.filter(pk=spike.tool_id).values_list("name", flat=True).first() or ""
    about = Q(tool__in=["", tool], subject__in=["", spike.subject], until__gt=at)
    if Mute.objects.filter(about).exists():
        return
    closed = spike.closed_at is not None
    topic = Topic.SPIKE_CLOSED if closed else Topic.SPIKE_OPENED
    notify(
        topic=Topic.NEW_FAILURE if spike.kind == SpikeKind.NEW else topic,
        subject_key=f"spike:{spike.pk}",
        at=at,
        audience=WHOEVER_ASKS,
        words=Words(tool=tool, name=spike.subject),
        link=f"/spikes/{spike.pk}/",
        urgency=Urgency.LOW if closed else Urgency.NORMAL,
        once=f"spike:{spike.pk}:{'closed' if closed else 'opened'}",
    )


def tell_of_command(command: BreakerCommand, *, by: Actor) -> None:
    """Tell that somebody set a breaker by hand."""
    name = command.breaker.name
    notify(
        topic=Topic.BREAKER_FORCED,
        subject_key=f"breaker:{name}",
        at=command.issued_at,
        audience=Audience(roles=frozenset({ANYBODY}), not_to=by.id if by.is_person else ""),
        words=Words(name=name, by=by.name, state=command.verb),
        link=f"/breakers/{quote(name, safe='')}/",
    )


def tell_where_open(breakers: Iterable[Breaker], *, at: datetime) -> None:
    """Tell of breakers that just opened and are open in every live instance."""
    for row in sorted(breakers, key=lambda breaker: breaker.pk):
        if is_open_everywhere(row.pk, at=at):
            notify(
                topic=Topic.FLEET_OPEN,
                subject_key=f"breaker:{row.name}",
                at=at,
                audience=WHOEVER_ASKS,
                words=Words(name=row.name),
                link=f"/breakers/{quote(row.name, safe='')}/",
                urgency=Urgency.URGENT,
                once=f"fleet:{row.pk}:{int(at.timestamp()) // FLAPPING_S}",
            )
