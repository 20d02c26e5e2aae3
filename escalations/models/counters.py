"""Numbers that only grow."""

from django.db import models


class Counter(models.Model):
    """A number that only grows: `case` for the references people use, `agent:<id>` for decisions in order."""

    name = models.CharField(primary_key=True, max_length=96)
    value = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        """Name the counter."""
        return f"{self.name} at {self.value}"
