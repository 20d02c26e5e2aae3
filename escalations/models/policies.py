"""Rules that say what a case needs, and the votes of cases that need more than one person."""

from django.db import models

from escalations.models.cases import Case
from escalations.models.words import one_of
from escalations.vocabulary import PolicyMode


class Policy(models.Model):
    """One rule. Asked in order of `position`; what a case keeps of it is a copy, so `version` says which."""

    name = models.CharField(max_length=120, unique=True)
    version = models.PositiveIntegerField(default=1)
    position = models.IntegerField(default=100)
    mode = models.CharField(max_length=8, default=PolicyMode.ON)
    match = models.JSONField()
    effect = models.JSONField()
    owner_id = models.CharField(max_length=64)
    owner_name = models.CharField(max_length=160)
    expires_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()

    class Meta:
        """A mode is a word; rules are asked in one order."""

        constraints = (
            models.CheckConstraint(name="policy_mode_is_a_word", condition=one_of("mode", PolicyMode)),
        )
        indexes = (models.Index(name="policy_order", fields=["position", "id"]),)

    def __str__(self) -> str:
        """Name the rule."""
        return f"{self.name} v{self.version}"


class Vote(models.Model):
    """What one person says where several have to agree; nobody sees another's before the revision is settled."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="votes")
    revision = models.PositiveIntegerField()
    person_id = models.CharField(max_length=64)
    person_name = models.CharField(max_length=160)
    action = models.CharField(max_length=8)
    digest = models.CharField(max_length=64)
    vote_key = models.CharField(max_length=300)
    said = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        """One vote per person and revision."""

        constraints = (models.UniqueConstraint(name="vote_once", fields=["case", "revision", "person_id"]),)

    def __str__(self) -> str:
        """Name the vote by whose it is."""
        return f"{self.person_name} on revision {self.revision} of {self.case_id}"
