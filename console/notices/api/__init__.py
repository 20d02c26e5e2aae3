"""The addresses of notices for programs."""

from console.notices.api.channels import Channel, Channels, Pause, Test
from console.notices.api.deliveries import Deliveries, Redelivery
from console.notices.api.own import Offered, Preferences, Shown

__all__ = [
    "Channel",
    "Channels",
    "Deliveries",
    "Offered",
    "Pause",
    "Preferences",
    "Redelivery",
    "Shown",
    "Test",
]
