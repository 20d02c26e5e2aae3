"""Teams with their rota, and who stands in for whom."""

from django.db import models
from django.db.models import F, Q


class Team(models.Model):
    """People in an order, one week each; the first is on call from the handover of the day `since`."""

    name = models.CharField(max_length=120, unique=True)
    version = models.PositiveIntegerField(default=1)
    people = models.JSONField(default=list)
    zone = models.CharField(max_length=64, default="UTC")
    weekday = models.PositiveSmallIntegerField(default=0)
    handover = models.TimeField()
    since = models.DateField()
    changed_at = models.DateTimeField()

    class Meta:
        """A week has seven days, counted from Monday."""

        constraints = (models.CheckConstraint(name="team_weekday", condition=Q(weekday__lte=6)),)

    def __str__(self) -> str:
        """Name the team."""
        return self.name


class Override(models.Model):
    """One person who stands in for a while, whoever's week it is; of two that overlap the later made one counts."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="overrides")
    person = models.CharField(max_length=160)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    by_name = models.CharField(max_length=160)

    class Meta:
        """It begins before it ends."""

        constraints = (
            models.CheckConstraint(name="override_has_a_length", condition=Q(ends_at__gt=F("starts_at"))),
        )
        indexes = (models.Index(name="override_of_team", fields=["team", "ends_at"]),)

    def __str__(self) -> str:
        """Name it by who stands in where."""
        return f"{self.person} for {self.team_id}"
