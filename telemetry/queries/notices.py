"""Whether anybody still wants a notice about a spike or a breaker; asked as it is about to be sent."""

from datetime import datetime

from django.utils.timezone import now

from console.notices.vocabulary import Topic
from telemetry.models import Breaker, Spike
from telemetry.queries.breakers import is_open_everywhere


def spike_wanted(topic: str, key: str, person_id: str) -> bool:  # noqa: ARG001  # asked in one shape of every subject
    """A spike that closed, or that somebody looks at, is no news that it opened."""
    if topic == Topic.SPIKE_CLOSED or not key.isdecimal():
        return True
    return Spike.objects.filter(pk=int(key), closed_at__isnull=True, acknowledged_at__isnull=True).exists()


def breaker_wanted(topic: str, key: str, person_id: str) -> bool:  # noqa: ARG001  # the same
    """A breaker that lets calls through again is no news that it opened."""
    return topic != Topic.FLEET_OPEN or _open_now(key, now())


def _open_now(name: str, at: datetime) -> bool:
    row = Breaker.objects.filter(name=name).first()
    return row is not None and is_open_everywhere(row.pk, at=at)
