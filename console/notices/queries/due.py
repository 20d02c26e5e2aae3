"""Whether the sweeps have anything to do: a read, so that an idle console writes nothing."""

from datetime import datetime

from console.notices.models import Delivery, Notice


def anything_due(*, at: datetime) -> bool:
    """Say whether a notice waits to be addressed, or a delivery is due."""
    return Notice.objects.filter(fan_at__lte=at).exists() or Delivery.objects.filter(due_at__lte=at).exists()
