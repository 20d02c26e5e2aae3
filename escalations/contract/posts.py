"""Webhooks on the wire: where an agent's decisions are posted, and what chains put out."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from console.kit.wire import Inbound, Outbound
from escalations.contract.chains import Url


class SetWebhook(Inbound):
    """Where an agent's decisions are to be posted."""

    url: Url


class WebhookIs(Outbound):
    """Where an agent's decisions are posted; blank: nowhere."""

    url: str


class WebhookSet(Outbound):
    """The new address, and the secret that its posts are signed with; it is shown this once."""

    url: str
    secret: str


class ChainPostView(Outbound):
    """One message of a chain: its address, its tries, and what went wrong with the last one."""

    id: UUID
    url: str
    made_at: datetime
    sent_at: datetime | None
    next_try_at: datetime | None
    tries: Annotated[int, Field(ge=0)]
    fault: str


class ChainPosts(Outbound):
    """The messages that the chain of a case put out, in their order."""

    posts: tuple[ChainPostView, ...]
