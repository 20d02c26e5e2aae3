"""A person, their one-time sign-in links and their personal tokens."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person. Groups `operator`, `sre` and `admin` say what they may do; the zone and language are theirs."""

    language = models.CharField(max_length=12, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        """Name the person as they sign in."""
        return self.username


class SignInLink(models.Model):
    """A link that signs one person in, once, until it expires; only its hash is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """Name the link without its secret."""
        return f"link of {self.person_id}, until {self.expires_at:%Y-%m-%d %H:%M}"


class PersonalToken(models.Model):
    """A key for the same verbs over REST; only its hash is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=16)
    label = models.CharField(max_length=80)
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """Name the token without its secret."""
        return f"{self.prefix}… of {self.person_id}"
