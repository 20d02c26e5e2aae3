"""Causes of failures, told apart by fingerprints, and what people say about them."""

from django.db import models

from console.kit.rowid import RowIdField


class Fingerprint(models.Model):
    """One cause of failures of one tool; its id follows from its words (`domain.fingerprints`)."""

    id = RowIdField(primary_key=True)
    tool = models.ForeignKey(
        "telemetry.Tool", on_delete=models.CASCADE, db_constraint=False, related_name="causes"
    )
    failure_class = models.CharField(max_length=16)
    code = models.CharField(max_length=64, blank=True)
    template = models.CharField(max_length=200, blank=True)
    first_seen_at = models.DateTimeField()
    first_call = models.BigIntegerField()

    class Meta:
        """The newest causes first."""

        indexes = (models.Index(fields=["-first_seen_at"], name="telemetry_cause_new"),)

    def __str__(self) -> str:
        """Name the cause."""
        return f"{self.failure_class} {self.code} {self.template}"


class FingerprintRule(models.Model):
    """A person's word: failures whose message holds this text are one cause. Empty `tool` means any."""

    tool = models.CharField(max_length=200, blank=True)
    contains = models.CharField(max_length=200)
    title = models.CharField(max_length=160)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=160)

    class Meta:
        """Each text once."""

        constraints = (
            models.UniqueConstraint(name="telemetry_one_fingerprint_rule", fields=["tool", "contains"]),
        )

    def __str__(self) -> str:
        """Name the rule."""
        return f"{self.contains!r} → {self.title}"
