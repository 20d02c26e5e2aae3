"""The audit table, and the one row that says where its chain ends."""

from django.db import models


class AuditEntry(models.Model):
    """One write: subject, verb, actor, time, digests before and after, and its two links of the chain.

    No foreign keys: history must never block or follow a deletion.
    """

    seq = models.PositiveBigIntegerField(primary_key=True)
    subject = models.CharField(max_length=160)
    verb = models.CharField(max_length=48)
    actor_kind = models.CharField(max_length=12)
    actor_id = models.CharField(max_length=64)
    actor_name = models.CharField(max_length=160)
    source = models.CharField(max_length=24)
    at = models.DateTimeField()
    before = models.CharField(max_length=64, blank=True)
    after = models.CharField(max_length=64, blank=True)
    detail = models.JSONField(default=dict)
    previous = models.CharField(max_length=64)
    subject_previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        """Indexes for one subject's history and one actor's."""

        indexes = (
            models.Index(fields=["subject", "-seq"], name="audit_subject"),
            models.Index(fields=["actor_kind", "actor_id", "-seq"], name="audit_actor"),
        )

    def __str__(self) -> str:
        """Name the entry by its place."""
        return f"{self.seq} {self.verb} {self.subject}"


class AuditHead(models.Model):
    """Where the chain ends; locked by every writer, so that entries stand in one line."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)

    class Meta:
        """There is exactly one."""

        constraints = (models.CheckConstraint(name="audit_one_head", condition=models.Q(id=1)),)

    def __str__(self) -> str:
        """Name the end by its place."""
        return f"head at {self.seq}"
