"""An agent and its keys."""

from django.db import models


class Agent(models.Model):
    """A client that reports. `owner_id` is a person's id, kept plain: facts know no people."""

    name = models.CharField(max_length=80, unique=True)
    owner_id = models.BigIntegerField(null=True, blank=True)
    made_at = models.DateTimeField()
    webhook_url = models.CharField(max_length=500, blank=True)
    webhook_secret = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        """Name the agent."""
        return self.name


class AgentKey(models.Model):
    """A bearer key; only its hash is kept, and a prefix by which people tell keys apart."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="keys")
    key_hash = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=8)
    label = models.CharField(max_length=80, blank=True)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=160, blank=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.CharField(max_length=160, blank=True)

    def __str__(self) -> str:
        """Name the key without its secret."""
        return f"sb_{self.prefix}…"
