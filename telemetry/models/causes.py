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
    """A person's word: failures whose message holds this text are one cause. Empty `tool` means any.

    With a class they are of that class as well, and with a code of that code.
    """

    tool = models.CharField(max_length=200, blank=True)
    contains = models.CharField(max_length=200)
    title = models.CharField(max_length=160)
    failure_class = models.CharField(max_length=16, blank=True)
    code = models.CharField(max_length=64, blank=True)
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


class Backfill(models.Model):
    """Stored failures judged again after a person's word, series by series; `tool` empty means those of all.

    `series` and `after` say how far it has come; `until` is the first call that was judged by the new word anyway.
    """

    tool = models.CharField(max_length=200, blank=True)
    why = models.CharField(max_length=200)
    due_at = models.DateTimeField()  # from here every process that takes reports knows the word
    series = models.BigIntegerField(default=-1)
    after = models.BigIntegerField(default=0)
    until = models.BigIntegerField()
    seen = models.BigIntegerField(default=0)
    changed = models.BigIntegerField(default=0)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=160)
    done_at = models.DateTimeField(null=True)

    class Meta:
        """What is to do."""

        indexes = (models.Index(fields=["done_at", "due_at"], name="telemetry_backfill_due"),)

    def __str__(self) -> str:
        """Name the reason."""
        return f"{self.tool} {self.why}"
