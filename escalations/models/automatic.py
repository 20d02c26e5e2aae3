"""What holds automatic decisions back, what was suggested and not wanted, and posts of chains."""

import uuid

from django.db import models

from escalations.models.cases import Case
from escalations.models.words import one_of
from escalations.vocabulary import Paused


class Pause(models.Model):
    """Automatic decisions of an agent's cases, or of a policy, held back until somebody lets them go on."""

    kind = models.CharField(max_length=8)
    name = models.CharField(max_length=200)
    reason = models.CharField(max_length=300)
    by_id = models.CharField(max_length=64)
    by_name = models.CharField(max_length=160)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True)

    class Meta:
        """One pause for each."""

        constraints = (
            models.UniqueConstraint(name="pause_once", fields=["kind", "name"]),
            models.CheckConstraint(name="pause_kind_is_a_word", condition=one_of("kind", Paused)),
        )

    def __str__(self) -> str:
        """Name what is held back."""
        return f"{self.kind} {self.name}"


class Dismissal(models.Model):
    """A suggested policy that somebody looked at and did not want."""

    suggestion = models.CharField(max_length=64, unique=True)
    reason = models.CharField(max_length=300)
    by_name = models.CharField(max_length=160)
    at = models.DateTimeField()

    def __str__(self) -> str:
        """Name it by what was dismissed."""
        return self.suggestion


class ChainPost(models.Model):
    """One message of a chain to a webhook, posted until it is taken or given up."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="chain_posts")
    url = models.CharField(max_length=500)
    body = models.JSONField()
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    tries = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """What is due comes first."""

        indexes = (
            models.Index(name="chain_post_due", fields=["due_at"], condition=models.Q(due_at__isnull=False)),
        )

    def __str__(self) -> str:
        """Name it by its case."""
        return f"post about {self.case_id}"
