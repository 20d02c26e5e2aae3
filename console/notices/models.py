"""Channels, what people want of them, and the outbox: notices, their deliveries and every attempt."""

import uuid
from collections.abc import Iterable
from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import Q

from console.notices.vocabulary import PENDING, ChannelKind, State, Topic, Urgency


def _one_of(name: str, words: Iterable[StrEnum]) -> Q:
    """Give the condition that a column holds one of these words, spelled as a migration can keep them."""
    return Q(**{f"{name}__in": sorted(word.value for word in words)})


class Preference(models.Model):
    """When a person wants to be left alone."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="notice_preference"
    )
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    urgent_at_once = models.BooleanField(default=True)
    zone = models.CharField(max_length=64, blank=True)  # the browser's, for a person who has chosen none

    class Meta:
        """Quiet hours have both ends or none."""

        constraints = (
            models.CheckConstraint(
                name="notice_quiet_has_both_ends",
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
            ),
        )

    def __str__(self) -> str:
        """Name whose it is."""
        return f"quiet hours of {self.person_id}"


class Channel(models.Model):
    """Where messages go: a person's own, or a team's where `person` is empty. A removed one is kept for the log.

    `busy_until` is the lease of whoever sends; `next_at` keeps a destination that fails from being asked too often.
    """

    kind = models.CharField(max_length=8)
    name = models.CharField(max_length=80)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="notice_channels"
    )
    address = models.CharField(max_length=500, blank=True)
    secret = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=12, blank=True)
    topics = models.JSONField(default=list)
    queues = models.JSONField(default=list)
    digest_minutes = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    made_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)
    busy_until = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    fault = models.CharField(max_length=300, blank=True)
    failing_since = models.DateTimeField(null=True)
    last_ok_at = models.DateTimeField(null=True)

    class Meta:
        """A browser belongs to a person; everything else has an address, until it is removed."""

        constraints = (
            models.CheckConstraint(
                name="notice_channel_kind_is_a_word", condition=_one_of("kind", ChannelKind)
            ),
            models.CheckConstraint(
                name="notice_browser_is_a_persons",
                condition=~Q(kind="browser") | Q(person__isnull=False),
            ),
            models.CheckConstraint(
                name="notice_channel_has_an_address",
                condition=Q(kind="browser") | ~Q(address="") | Q(removed_at__isnull=False),
            ),
            models.UniqueConstraint(
                name="notice_one_browser_channel",
                fields=["person"],
                condition=Q(kind="browser", removed_at__isnull=True),
            ),
        )
        indexes = (models.Index(name="notice_channel_of", fields=["person", "id"]),)

    def __str__(self) -> str:
        """Name the channel without its address, which may be a secret."""
        return f"{self.kind} {self.name}"


class Notice(models.Model):
    """One thing worth a message, written in the transaction that caused it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    once = models.CharField(max_length=200, unique=True)
    topic = models.CharField(max_length=20)
    subject_key = models.CharField(max_length=160)
    urgency = models.CharField(max_length=8)
    at = models.DateTimeField()
    words = models.JSONField(default=dict)
    link = models.CharField(max_length=2000)
    people = models.JSONField(default=list)
    queue = models.CharField(max_length=120, null=True)  # noqa: DJ001  # "" is the queue without a name, null is none
    roles = models.JSONField(default=list)
    not_to = models.CharField(max_length=64, blank=True)
    fan_at = models.DateTimeField(null=True)

    class Meta:
        """Words are words; what is not yet addressed is found at once."""

        constraints = (
            models.CheckConstraint(name="notice_topic_is_a_word", condition=_one_of("topic", Topic)),
            models.CheckConstraint(name="notice_urgency_is_a_word", condition=_one_of("urgency", Urgency)),
        )
        indexes = (
            models.Index(name="notice_to_address", fields=["fan_at"], condition=Q(fan_at__isnull=False)),
            models.Index(name="notice_by_age", fields=["at"]),
        )

    def __str__(self) -> str:
        """Name the notice by what it is about."""
        return f"{self.topic} {self.subject_key}"


class Delivery(models.Model):
    """One notice on its way to one channel. Those with one `message_id` travel as one message."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=8, default=State.WAITING.value)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    message_id = models.UUIDField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    fault = models.CharField(max_length=300, blank=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        """A notice goes to a channel once; what is pending has a time, what is not has ended."""

        constraints = (
            models.UniqueConstraint(name="notice_once_per_channel", fields=["notice", "channel"]),
            models.CheckConstraint(name="notice_state_is_a_word", condition=_one_of("state", State)),
            models.CheckConstraint(
                name="notice_pending_is_due",
                condition=_one_of("state", PENDING) & Q(due_at__isnull=False, finished_at__isnull=True)
                | (~_one_of("state", PENDING) & Q(due_at__isnull=True, finished_at__isnull=False)),
            ),
        )
        indexes = (
            models.Index(name="notice_due", fields=["channel", "due_at"], condition=Q(due_at__isnull=False)),
            models.Index(name="notice_due_by_time", fields=["due_at"], condition=Q(due_at__isnull=False)),
            models.Index(name="notice_log", fields=["-made_at", "-id"]),
            models.Index(name="notice_log_of_channel", fields=["channel", "-made_at", "-id"]),
            models.Index(name="notice_message", fields=["message_id"], condition=Q(message_id__isnull=False)),
        )

    def __str__(self) -> str:
        """Name the delivery by its state."""
        return f"{self.state} {self.pk}"


class Attempt(models.Model):
    """One try to send a message; one without an end was cut off by a crash or still runs."""

    message_id = models.UUIDField()
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="attempts")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=300, blank=True)

    class Meta:
        """Found by the message."""

        indexes = (models.Index(name="notice_attempts", fields=["message_id", "started_at"]),)

    def __str__(self) -> str:
        """Name the attempt by its message."""
        return f"try of {self.message_id}"
