"""Every write about notices: one durable transaction each; `notify` joins the transaction of its caller."""

from console.notices.operations.addressing import address_some
from console.notices.operations.browsers import end_unseen, offer_one, shown
from console.notices.operations.by_hand import redeliver, send_test
from console.notices.operations.channels import (
    Made,
    add_channel,
    change_channel,
    pause_channel,
    remove_channel,
)
from console.notices.operations.forgetting import forget_some
from console.notices.operations.notify import notify
from console.notices.operations.preferences import set_quiet_hours
from console.notices.operations.sending import sent, take_one

__all__ = [
    "Made",
    "add_channel",
    "address_some",
    "change_channel",
    "end_unseen",
    "forget_some",
    "notify",
    "offer_one",
    "pause_channel",
    "redeliver",
    "remove_channel",
    "send_test",
    "sent",
    "set_quiet_hours",
    "shown",
    "take_one",
]
