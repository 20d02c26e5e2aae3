"""Channels and notices for tests, one plain function per noun."""

from datetime import timedelta

from django.db import transaction

from console.kit.actor import Actor, ActorKind
from console.notices import contract, operations
from console.notices.domain.audience import Audience
from console.notices.domain.words import Words
from console.notices.models import Delivery
from console.notices.vocabulary import ChannelKind, Topic, Urgency
from tests.factories import NOON

ADMIN = Actor(ActorKind.PERSON, "1", "root", frozenset({"admin"}))


def actor(person, *roles):
    return Actor(ActorKind.PERSON, str(person.pk), person.username, frozenset(roles))


def channel(kind="webhook", address="https://hooks.example.com/x", *, by=ADMIN, **more):
    """A channel, by its id; a team's where nobody is named."""
    said = {"name": "desk", "topics": [Topic.CASE_OPENED], "team": by is ADMIN} | more
    new = contract.NewChannel(kind=ChannelKind(kind), address=address, **said)
    return operations.add_channel(said=new, by=by, at=NOON).line.id


def notice(*, topic=Topic.CASE_OPENED, at=NOON, **more):
    """A notice, in a transaction of its own."""
    told = {
        "subject_key": "thing:1",
        "audience": Audience(queue="refunds"),
        "words": Words(ref="C-1", title="Refund twice?", tool="refund"),
        "link": "/cases/C-1/",
        "urgency": Urgency.NORMAL,
    }
    with transaction.atomic():
        operations.notify(topic=topic, at=at, **told | more)


def addressed(*, at=NOON):
    """Address all that waits; give the deliveries."""
    while operations.address_some(at=at):
        continue
    return list(Delivery.objects.order_by("made_at", "id"))


def take(seconds=0):
    return operations.take_one(at=NOON + timedelta(seconds=seconds))


def end(message, fault="", seconds=0):
    operations.sent(
        message_id=message.message_id,
        attempt_id=message.attempt_id,
        channel_id=message.channel_id,
        fault=fault,
        at=NOON + timedelta(seconds=seconds),
    )
