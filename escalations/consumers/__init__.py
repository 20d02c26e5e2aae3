"""Waiting for decisions on the event loop: the hub that wakes those who wait, and the long poll."""

from escalations.consumers.hub import Hub, Waiter, hub, waiting_room
from escalations.consumers.long_poll import long_poll, waits
from escalations.consumers.pool import reads, writes

__all__ = ["Hub", "Waiter", "hub", "long_poll", "reads", "waiting_room", "waits", "writes"]
