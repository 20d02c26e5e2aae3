"""What the addresses of notices take and give."""

from datetime import datetime, time
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field

from console.kit.wire import Inbound, Outbound
from console.notices.vocabulary import ChannelKind, State, Topic

LANGUAGES = "^(|en|zh-hans)$"
Text = Annotated[str, Field(min_length=1, max_length=80)]
Queue = Annotated[str, Field(max_length=120)]


def _of_the_wall(at: time) -> time:
    if at.tzinfo is not None:
        raise ValueError("a time of the person's own wall clock has no offset")
    return at.replace(microsecond=0)


WallTime = Annotated[time, AfterValidator(_of_the_wall)]


class ChannelSettings(Inbound):
    """What a channel is for and how it paces itself; an address that is left out stays."""

    name: Text
    address: Annotated[str, Field(max_length=500)] | None = None
    language: Annotated[str, Field(pattern=LANGUAGES)] = ""
    topics: Annotated[list[Topic], Field(max_length=20)]
    queues: Annotated[list[Queue], Field(max_length=50)] = []
    digest_minutes: Annotated[int, Field(ge=0, le=1440)] = 0


class NewChannel(ChannelSettings):
    """A channel to be made: the person's own, or a team's."""

    kind: ChannelKind
    team: bool = False


class ChangedChannel(ChannelSettings):
    """A channel's settings, put over those of `base_version`."""

    base_version: Annotated[int, Field(ge=1)]


class SetPreferences(Inbound):
    """Quiet hours in the person's own zone: both ends or none; urgent notices may go past them."""

    quiet_from: WallTime | None = None
    quiet_until: WallTime | None = None
    urgent_at_once: bool = True


class Channel(Outbound):
    """A channel as it stands. Of a webhook's address only the host and the last letters are told."""

    id: int
    version: int
    kind: ChannelKind
    name: str
    address: str
    team: bool
    language: str
    topics: list[Topic]
    queues: list[str]
    digest_minutes: int
    configured: bool
    made_at: datetime
    paused_at: datetime | None
    fault: str
    failing_since: datetime | None
    last_ok_at: datetime | None
    next_at: datetime | None
    pending: int


class MadeChannel(Channel):
    """A channel that was just made; a signed webhook's secret is told this once."""

    secret: str = ""


class Channels(Outbound):
    """The person's own channels and the teams'."""

    channels: list[Channel]


class Preferences(Outbound):
    """When the person wants to be left alone, and in which zone that is meant."""

    quiet_from: time | None
    quiet_until: time | None
    urgent_at_once: bool
    zone: str


class Attempt(Outbound):
    """One try to send; `ended_at` is null where a crash cut it off or it still runs."""

    started_at: datetime
    ended_at: datetime | None
    fault: str


class Delivery(Outbound):
    """One notice on its way to one channel; those with one `message_id` travel as one message."""

    id: UUID
    topic: Topic
    subject: str
    link: str
    text: str
    channel_id: int
    channel: str
    state: State
    fault: str
    made_at: datetime
    due_at: datetime | None
    finished_at: datetime | None
    tries: int
    message_id: UUID | None
    attempts: list[Attempt]


class Deliveries(Outbound):
    """A page of the log, newest first; `after` leads on."""

    deliveries: list[Delivery]
    after: str | None


class Offered(Outbound):
    """A notice that the person's browser may show."""

    id: UUID
    text: str
    detail: str
    link: str


class OfferedNotices(Outbound):
    """What the person's browser may show now, oldest first."""

    notices: list[Offered]


class Shown(Inbound):
    """What a browser has shown."""

    ids: Annotated[list[UUID], Field(min_length=1, max_length=100)]


class Tested(Outbound):
    """A test message was put into the outbox; its line in the log says how it ends."""

    delivery_id: UUID
