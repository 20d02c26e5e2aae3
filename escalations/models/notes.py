"""What people write beside a case."""

from django.db import models

from escalations.models.cases import Case


class Note(models.Model):
    """What one person wrote for the next."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="notes")
    by_id = models.CharField(max_length=64)
    by_name = models.CharField(max_length=160)
    text = models.TextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        """Name the note by its author."""
        return f"note of {self.by_name} on {self.case_id}"


class Draft(models.Model):
    """What a person has begun to decide about one revision; theirs alone, and never sent by itself."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="drafts")
    revision = models.PositiveIntegerField()
    person_id = models.CharField(max_length=64)
    body = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        """One draft per person and revision."""

        constraints = (models.UniqueConstraint(name="draft_once", fields=["case", "revision", "person_id"]),)

    def __str__(self) -> str:
        """Name the draft by its place."""
        return f"draft of {self.person_id} on {self.case_id}"
