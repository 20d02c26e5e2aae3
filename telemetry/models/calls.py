"""A stored call, the words it is counted under, and the key that makes it unique.

Calls are written and counted by the plain SQL of `operations.store`; these classes are how everyone else reads them.
"""

from django.db import models

from console.kit.rowid import RowIdField


class Tool(models.Model):
    """A tool by its name, which its id follows from (`domain.ids`), and what people have said about it."""

    id = RowIdField(primary_key=True)
    name = models.CharField(max_length=200, unique=True)
    first_seen_at = models.DateTimeField()
    not_found_is_empty = models.BooleanField(null=True)

    def __str__(self) -> str:
        """Name the tool."""
        return self.name


class Series(models.Model):
    """One combination of the words that calls are counted under.

    `kind` keeps operations and failed attempts apart. `agent_id` 0 is the same combination over all agents. Empty
    text means none: no failure, no code, nobody recovered it. The id follows from the words.
    """

    id = RowIdField(primary_key=True)
    kind = models.CharField(
        max_length=1
    )  # o: operations, a: failed attempts, f: fingerprints (`code` is its id); s, t, u: sums of these
    agent_id = models.BigIntegerField()
    tool = models.ForeignKey(Tool, on_delete=models.CASCADE, db_constraint=False, related_name="series")
    failure_class = models.CharField(max_length=16, blank=True)
    code = models.CharField(max_length=64, blank=True)
    outcome = models.CharField(max_length=12, blank=True)
    recovered_by = models.CharField(max_length=10, blank=True)

    class Meta:
        """Each combination once."""

        constraints = (
            models.UniqueConstraint(
                name="telemetry_one_series",
                fields=["kind", "agent_id", "tool", "failure_class", "code", "outcome", "recovered_by"],
            ),
        )

    def __str__(self) -> str:
        """Name the words."""
        return f"{self.kind} {self.agent_id} {self.tool_id} {self.failure_class} {self.code} {self.outcome}"


class Call(models.Model):
    """One logical tool call as last reported.

    The id is the microsecond of its arrival (`domain.ids`): ordering by it is ordering by arrival, and on PostgreSQL
    its range is the partition of a day. `bucket` is the minute it is counted in. `detail` is JSON text: everything
    that no page filters on.
    """

    id = RowIdField(primary_key=True)
    series = models.ForeignKey(Series, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False)
    call_id = models.CharField(max_length=128)
    rev = models.IntegerField()
    trace_id = models.CharField(max_length=64)
    bucket = models.IntegerField()
    started_at = models.DateTimeField()
    duration_us = models.BigIntegerField()
    attempts = models.IntegerField()
    recovery_us = models.BigIntegerField()
    fingerprint = models.BigIntegerField(default=0)  # 0: it met no failure
    detail = models.TextField()

    class Meta:
        """One index for every combination of filters, one for traces, one for failures of one cause."""

        indexes = (
            models.Index(fields=["series", "id"], name="telemetry_call_series"),
            models.Index(fields=["trace_id"], name="telemetry_call_trace"),
            models.Index(
                fields=["fingerprint", "id"],
                name="telemetry_call_cause",
                condition=models.Q(fingerprint__gt=0),
            ),
        )

    def __str__(self) -> str:
        """Name the call by its agent's id."""
        return f"{self.call_id} rev {self.rev}"


class SpanContext(models.Model):
    """What an OpenTelemetry span says about the calls beneath it, whenever it comes: parents often come last."""

    pk = models.CompositePrimaryKey("agent_id", "trace_id", "span_id")
    agent_id = models.BigIntegerField()
    trace_id = models.CharField(max_length=32)
    span_id = models.CharField(max_length=16)
    parent_id = models.CharField(max_length=16, blank=True)
    session_id = models.CharField(max_length=128, blank=True)
    agent_name = models.CharField(max_length=128, blank=True)
    tool = models.CharField(max_length=200, blank=True)
    is_mcp = models.BooleanField()
    call_id = models.CharField(max_length=128)
    minute = models.IntegerField()
    failed = models.TextField(blank=True, default="")  # JSON: why a message failed

    class Meta:
        """Beside the key one small index: every export asks for messages of MCP under its tools' spans."""

        indexes = (
            models.Index(
                fields=["agent_id", "trace_id", "parent_id"],
                name="telemetry_context_mcp",
                condition=models.Q(is_mcp=True),
            ),
        )

    def __str__(self) -> str:
        """Name the span."""
        return f"{self.trace_id}/{self.span_id}"


class CallKey(models.Model):
    """Makes a call unique per agent, and says where it is; small, never partitioned, pruned with retention."""

    pk = models.CompositePrimaryKey("agent_id", "call_id")
    agent_id = models.BigIntegerField()
    call_id = models.CharField(max_length=128)
    call = models.BigIntegerField()
    rev = models.IntegerField()

    def __str__(self) -> str:
        """Name the call."""
        return f"{self.agent_id}/{self.call_id}"
