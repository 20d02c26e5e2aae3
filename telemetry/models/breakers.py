"""Breakers of the fleet: what each instance says, what changed, what people commanded."""

from django.db import models


class Breaker(models.Model):
    """A breaker by the dependency it guards. The order of ids is the order of places on the board; it never changes."""

    name = models.CharField(max_length=200, unique=True)
    scope = models.CharField(max_length=12)
    first_seen_at = models.DateTimeField()
    not_permitted = models.BigIntegerField(default=0)  # calls refused, ever

    def __str__(self) -> str:
        """Name the breaker."""
        return self.name


class BreakerInstance(models.Model):
    """One agent process that has breakers. `past_boots` are its earlier lives, newest first."""

    agent = models.ForeignKey("telemetry.Agent", on_delete=models.CASCADE, related_name="instances")
    instance = models.CharField(max_length=128)
    boot_id = models.CharField(max_length=64)
    past_boots = models.JSONField(default=list)
    heartbeat_at = models.DateTimeField()
    agent_version = models.CharField(max_length=128, blank=True)
    labels = models.JSONField(default=dict)
    stale_since = models.DateTimeField(null=True)

    class Meta:
        """An agent names each instance once."""

        constraints = (models.UniqueConstraint(name="telemetry_one_instance", fields=["agent", "instance"]),)

    def __str__(self) -> str:
        """Name the instance."""
        return self.instance


class BreakerPart(models.Model):
    """One breaker in one instance, as last said. `missing` are ranges of sequence numbers that never came."""

    breaker = models.ForeignKey(Breaker, on_delete=models.CASCADE, related_name="parts")
    instance = models.ForeignKey(BreakerInstance, on_delete=models.CASCADE, related_name="parts")
    tool = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=12)
    since = models.DateTimeField()
    boot_id = models.CharField(max_length=64)
    seq = models.BigIntegerField()
    missing = models.JSONField(default=list)
    reason = models.CharField(max_length=16, blank=True)
    open_until = models.DateTimeField(null=True)
    detail = models.JSONField(default=dict)

    class Meta:
        """A breaker stands once in an instance."""

        constraints = (models.UniqueConstraint(name="telemetry_one_part", fields=["breaker", "instance"]),)

    def __str__(self) -> str:
        """Name the place."""
        return f"{self.breaker_id} in {self.instance_id}: {self.state}"


class BreakerEvent(models.Model):
    """One change as an instance told it; never altered. `flags`: `late`, `gap`, `mismatch`, `clock`."""

    agent = models.ForeignKey("telemetry.Agent", on_delete=models.CASCADE, related_name="+")
    event_id = models.UUIDField()
    breaker = models.ForeignKey(Breaker, on_delete=models.CASCADE, related_name="events")
    instance = models.ForeignKey(BreakerInstance, on_delete=models.CASCADE, related_name="events")
    boot_id = models.CharField(max_length=64)
    seq = models.BigIntegerField()
    occurred_at = models.DateTimeField()
    received_at = models.DateTimeField()
    from_state = models.CharField(max_length=12)
    to_state = models.CharField(max_length=12)
    reason = models.CharField(max_length=16)
    flags = models.JSONField(default=list)
    detail = models.JSONField(default=dict)

    class Meta:
        """Each event once; history of one breaker and of all, newest first."""

        constraints = (models.UniqueConstraint(name="telemetry_one_event", fields=["agent", "event_id"]),)
        indexes = (
            models.Index(fields=["breaker", "-occurred_at", "-id"], name="telemetry_event_breaker"),
            models.Index(fields=["-occurred_at", "-id"], name="telemetry_event_time"),
        )

    def __str__(self) -> str:
        """Name the change."""
        return f"{self.breaker_id} {self.from_state} → {self.to_state}"


class BreakerTransition(models.Model):
    """How often a breaker has changed in one way; it only grows, whatever becomes of the events."""

    breaker = models.ForeignKey(Breaker, on_delete=models.CASCADE, related_name="+")
    from_state = models.CharField(max_length=12)
    to_state = models.CharField(max_length=12)
    reason = models.CharField(max_length=16)
    n = models.BigIntegerField(default=0)

    class Meta:
        """Each way once."""

        constraints = (
            models.UniqueConstraint(
                name="telemetry_one_transition", fields=["breaker", "from_state", "to_state", "reason"]
            ),
        )

    def __str__(self) -> str:
        """Name the way."""
        return f"{self.breaker_id} {self.from_state} → {self.to_state}: {self.n}"


class BreakerCommand(models.Model):
    """What a person told a breaker, until when, and why. The id is the `number` that agents ask after."""

    command_id = models.UUIDField(unique=True)
    breaker = models.ForeignKey(Breaker, on_delete=models.CASCADE, related_name="commands")
    verb = models.CharField(max_length=12)
    instances = models.JSONField(null=True)  # None: every instance, and any that starts
    expected_state = models.CharField(max_length=12, blank=True)
    reason = models.CharField(max_length=400)
    issued_by = models.CharField(max_length=160)
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)  # replaced by a later one, or expired and noted by the sweep

    class Meta:
        """What is in force now."""

        indexes = (models.Index(fields=["ended_at", "expires_at"], name="telemetry_command_live"),)

    def __str__(self) -> str:
        """Name the command."""
        return f"{self.verb} {self.breaker_id}"


class BreakerAck(models.Model):
    """What one instance did with a command."""

    command = models.ForeignKey(BreakerCommand, on_delete=models.CASCADE, related_name="acks")
    instance = models.ForeignKey(BreakerInstance, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=12)
    state = models.CharField(max_length=12, blank=True)
    at = models.DateTimeField()
    detail = models.CharField(max_length=400, blank=True)

    class Meta:
        """One answer of each instance; a later one replaces it."""

        constraints = (models.UniqueConstraint(name="telemetry_one_ack", fields=["command", "instance"]),)

    def __str__(self) -> str:
        """Name the answer."""
        return f"{self.instance_id} {self.status}"
