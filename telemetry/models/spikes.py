"""What rises beyond what traffic explains, what is usual, and the deploys it is seen beside."""

from django.db import models


class Watch(models.Model):
    """What is usual for one class of one tool (`domain.spikes.Baseline` as JSON). Tool 0 is all tools together."""

    tool_id = models.BigIntegerField()
    subject = models.CharField(max_length=16)  # a failure class, or `person`: calls that needed one
    state = models.JSONField()
    minute = models.IntegerField()
    spike = models.ForeignKey("telemetry.Spike", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        """One for each class of each tool."""

        constraints = (models.UniqueConstraint(name="telemetry_one_watch", fields=["tool_id", "subject"]),)

    def __str__(self) -> str:
        """Name what is watched."""
        return f"{self.tool_id} {self.subject}"


class WatchClock(models.Model):
    """The minute that was judged last; there is one row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    minute = models.IntegerField()

    def __str__(self) -> str:
        """Name the minute."""
        return str(self.minute)


class Spike(models.Model):
    """Something that is not as usual, with its explanation as it was when it opened.

    `kind`: `rate` (a class of a tool), `person` (calls that need people), `new` (a cause nobody has seen before).
    """

    kind = models.CharField(max_length=8)
    tool_id = models.BigIntegerField()
    subject = models.CharField(max_length=16)
    fingerprint = models.BigIntegerField(default=0)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    test = models.JSONField(
        default=dict
    )  # window, calls, observed, expected, ratio, probability, spread, age
    explanation = models.JSONField(default=dict)  # causes, agents, breakers, deploy
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.CharField(max_length=160, blank=True)

    class Meta:
        """Open ones, and the newest."""

        indexes = (
            models.Index(fields=["closed_at", "-opened_at"], name="telemetry_spike_open"),
            models.Index(fields=["tool_id", "-opened_at"], name="telemetry_spike_tool"),
        )

    def __str__(self) -> str:
        """Name what rises."""
        return f"{self.kind} {self.tool_id} {self.subject}"


class Mute(models.Model):
    """Spikes of a tool or a class that nobody wants to hear of for a while. Empty text means any."""

    tool = models.CharField(max_length=200, blank=True)
    subject = models.CharField(max_length=16, blank=True)
    until = models.DateTimeField()
    reason = models.CharField(max_length=400)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=160)

    def __str__(self) -> str:
        """Name what is muted."""
        return f"{self.tool} {self.subject} until {self.until:%Y-%m-%d %H:%M}"


class Marker(models.Model):
    """A deploy, as a line on charts and in the explanation of a spike."""

    at = models.DateTimeField()
    name = models.CharField(max_length=200)
    version = models.CharField(max_length=128, blank=True)
    url = models.CharField(max_length=500, blank=True)
    agent_id = models.BigIntegerField(null=True)
    tool = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=160)

    class Meta:
        """By time; the same deploy once."""

        indexes = (models.Index(fields=["-at"], name="telemetry_marker_time"),)
        constraints = (
            models.UniqueConstraint(name="telemetry_one_marker", fields=["at", "name", "version"]),
        )

    def __str__(self) -> str:
        """Name the deploy."""
        return f"{self.name} {self.version}"
