"""Channels are made, changed, paused and removed: each with its entry in the audit, none with an address in it."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from console.audit.operations import record
from console.kit.actor import Actor
from console.kit.refusal import Kind, Refused
from console.notices import contract
from console.notices.domain import addresses, permissions
from console.notices.domain.words import plain
from console.notices.models import Channel, Delivery
from console.notices.operations.sending import drop
from console.notices.queries.channels import line_of
from console.notices.queries.shapes import ChannelLine
from console.notices.vocabulary import ChannelKind, Dropped

MOST_OF_ONE = 50


class ChangedMeanwhile(Refused):
    """Somebody changed the channel between reading and writing."""

    code = "CHANGED_MEANWHILE"


class TooManyChannels(Refused):
    """Nobody needs so many."""

    kind, code = Kind.CONFLICT, "TOO_MANY_CHANNELS"


class OneBrowserIsEnough(Refused):
    """The person's browsers are one channel already."""

    code = "BROWSER_CHANNEL_EXISTS"


@dataclass(frozen=True, slots=True)
class Made:
    """A channel that was just made, and its secret, which is told this once."""

    line: ChannelLine
    secret: str


@transaction.atomic(durable=True)
def add_channel(*, said: contract.NewChannel, by: Actor, at: datetime, source: str = "api") -> Made:
    """Make a channel of the person's own, or a team's. Raises BadAddress and whatever permissions say."""
    person_id = permissions.insist_on_person(by)
    address = addresses.checked(said.kind, said.address or "", networks=settings.WEBHOOK_NETWORKS)
    owner_id = None if said.team else person_id
    permissions.insist(by, owner_id=owner_id)
    if said.team and said.kind is ChannelKind.BROWSER:
        raise addresses.BadAddress("A team has no browser; each person adds their own.")
    if Channel.objects.filter(person_id=owner_id, removed_at__isnull=True).count() >= MOST_OF_ONE:
        raise TooManyChannels(f"There are {MOST_OF_ONE} channels already.")
    secret = secrets.token_urlsafe(32) if said.kind is ChannelKind.WEBHOOK else ""
    columns = {"kind": said.kind, "person_id": owner_id, "address": address, "secret": secret, "made_at": at}
    try:
        with transaction.atomic():
            row = Channel.objects.create(**columns, **_columns(said))
    except IntegrityError as exc:
        raise OneBrowserIsEnough("Your browsers are a channel already.") from exc
    _record(row, "channel_made", by=by, at=at, source=source)
    return Made(line_of(row), secret)


@transaction.atomic(durable=True)
def change_channel(
    *, channel_id: int, said: contract.ChangedChannel, by: Actor, at: datetime, source: str = "api"
) -> ChannelLine:
    """Put other settings over a channel; an address that is left out stays. Raises ChangedMeanwhile."""
    row = load(channel_id, by=by)
    columns = _columns(said)
    if said.address and said.address != addresses.shown(row.kind, row.address):
        kind = ChannelKind(row.kind)
        columns["address"] = addresses.checked(kind, said.address, networks=settings.WEBHOOK_NETWORKS)
        columns |= {"failures": 0, "next_at": None, "fault": "", "failing_since": None}
    _write(row, said.base_version, columns)
    _record(row, "channel_changed", by=by, at=at, source=source, moved="address" in columns)
    return line_of(row)


@transaction.atomic(durable=True)
def pause_channel(
    *, channel_id: int, paused: bool, by: Actor, at: datetime, source: str = "api"
) -> ChannelLine:
    """Hold a channel's messages, or let them go again; a second time changes nothing."""
    row = load(channel_id, by=by)
    if (row.paused_at is not None) != paused:
        fresh: dict[str, Any] = (
            {"paused_at": at} if paused else {"paused_at": None, "next_at": None, "failures": 0}
        )
        _write(row, row.version, fresh)
        _record(row, "channel_paused" if paused else "channel_resumed", by=by, at=at, source=source)
    return line_of(row)


@transaction.atomic(durable=True)
def remove_channel(*, channel_id: int, by: Actor, at: datetime, source: str = "api") -> None:
    """Remove a channel: its address and secret go, its log stays, what waited is dropped."""
    row = load(channel_id, by=by)
    _write(row, row.version, {"removed_at": at, "address": "", "secret": ""})
    dropped = drop(Delivery.objects.filter(channel=row), Dropped.REMOVED, at=at)
    _record(row, "channel_removed", by=by, at=at, source=source, dropped=dropped)


def load(channel_id: int, *, by: Actor) -> Channel:
    """Lock a channel that this person may change."""
    row = Channel.objects.select_for_update().filter(pk=channel_id, removed_at__isnull=True).first()
    if row is None:
        permissions.insist_on_person(by)
        raise permissions.NoSuchChannel("There is no such channel.")
    permissions.insist(by, owner_id=row.person_id)
    return row


def _columns(said: contract.ChannelSettings) -> dict[str, Any]:
    return {
        "name": plain(said.name, limit=80) or "…",
        "language": said.language,
        "topics": sorted({topic.value for topic in said.topics}),
        "queues": sorted({plain(queue, limit=120) for queue in said.queues}),
        "digest_minutes": said.digest_minutes,
    }


def _write(row: Channel, base_version: int, columns: dict[str, Any]) -> None:
    mine = Channel.objects.filter(pk=row.pk, version=base_version)
    if not mine.update(version=F("version") + 1, **columns):
        raise ChangedMeanwhile("Somebody changed this channel meanwhile; look again.")
    row.refresh_from_db()


def _record(row: Channel, verb: str, *, by: Actor, at: datetime, source: str, **more: object) -> None:
    detail: dict[str, object] = {
        "kind": row.kind,
        "name": row.name,
        "person_id": row.person_id,
        "topics": row.topics,
        "queues": row.queues,
        "digest_minutes": row.digest_minutes,
        **more,
    }
    record(subject=f"channel:{row.pk}", verb=verb, actor=by, at=at, source=source, detail=detail)
