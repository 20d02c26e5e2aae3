"""Who the three agents are."""

from dataclasses import dataclass

from console.demo.agents.scripts import group_desk, refund_clerk, trip_booker
from console.demo.agents.worker import Script


@dataclass(frozen=True)
class Role:
    """What an agent does, in which version, and how much of the work comes to it."""

    script: Script
    version: str
    share: float


ROLES = {
    "trip-booker": Role(trip_booker.book, "3.8.1", 0.6),
    "group-desk": Role(group_desk.check_in, "2.1.0", 0.2),
    "refund-clerk": Role(refund_clerk.give_back, "1.14.2", 0.2),
}
NAMES = tuple(ROLES)
