"""Every write about notices: one durable transaction each; `notify` joins the transaction of its caller."""

from console.notices.operations.notify import notify

__all__ = ["notify"]
