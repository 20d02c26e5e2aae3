"""What is read about notices, as frozen values."""

from console.notices.queries.channels import channel_line, own_channels, preferences, team_channels
from console.notices.queries.due import anything_due
from console.notices.queries.log import deliveries, offered
from console.notices.queries.shapes import ChannelLine, DeliveryLine, Item, Outgoing
from console.notices.queries.shapes import Preferences as Wishes

__all__ = [
    "ChannelLine",
    "DeliveryLine",
    "Item",
    "Outgoing",
    "Wishes",
    "anything_due",
    "channel_line",
    "deliveries",
    "offered",
    "own_channels",
    "preferences",
    "team_channels",
]
