"""Counters that follow the calls exactly: rollups, latency sketches and the ledger."""

from django.db import models


class Rollup(models.Model):
    """Counts of one series in one bucket. `grain` is the bucket's length in minutes: 1, 15, 60 or 1440.

    `agent_id` is that of the series, here again so that one agent's counters, and those of all (0), are one range.
    """

    pk = models.CompositePrimaryKey("agent_id", "grain", "bucket", "series")
    agent_id = models.BigIntegerField()
    grain = models.SmallIntegerField()
    bucket = models.IntegerField()
    series = models.ForeignKey(
        "telemetry.Series", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    n = models.BigIntegerField()
    first_time = models.BigIntegerField()
    attempts = models.BigIntegerField()
    duration_us = models.BigIntegerField()  # whole numbers: what was added is subtracted exactly
    recovery_us = models.BigIntegerField()

    def __str__(self) -> str:
        """Name the bucket."""
        return f"{self.series_id} {self.grain}/{self.bucket}: {self.n}"


class Sketch(models.Model):
    """Latencies of a tool's calls in one bucket, as counts of logarithmic bins (`domain.sketch`).

    `kind` is `call`, or who recovered: then the latencies are those of recovery. `grain` is 1, 60 or 1440 minutes.
    """

    pk = models.CompositePrimaryKey("grain", "bucket", "tool", "agent_id", "kind")
    grain = models.SmallIntegerField()
    bucket = models.IntegerField()
    tool = models.ForeignKey(
        "telemetry.Tool", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    agent_id = models.BigIntegerField()
    kind = models.CharField(max_length=10)
    bins = models.BinaryField()

    def __str__(self) -> str:
        """Name the bucket."""
        return f"{self.tool_id} {self.kind} {self.grain}/{self.bucket}"


class Uncounted(models.Model):
    """What calls of one commit add to the counters and was not added yet (`domain.tally`): a moment's worth, under load."""

    tally = models.BinaryField()

    def __str__(self) -> str:
        """Name the commit."""
        return f"uncounted {self.pk}"


class Ledger(models.Model):
    """What became of the items a key reported in one minute; `reason` says why for the rejected ones."""

    pk = models.CompositePrimaryKey("key_id", "minute", "what", "reason")
    key_id = models.BigIntegerField()
    minute = models.IntegerField()
    what = models.CharField(max_length=10)
    reason = models.CharField(max_length=40, blank=True)
    n = models.BigIntegerField()

    def __str__(self) -> str:
        """Name the line."""
        return f"key {self.key_id} {self.minute} {self.what} {self.reason}: {self.n}"
