"""The pages about notices."""

from console.notices.pages.channels import act_on_channel, channel, channels, new_channel, notifications
from console.notices.pages.log import outbox, redeliver

__all__ = ["act_on_channel", "channel", "channels", "new_channel", "notifications", "outbox", "redeliver"]
