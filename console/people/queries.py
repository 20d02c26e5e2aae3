"""What is read about people."""

from django.db.models import Q

from console.people.models import User


def anybody_entered() -> bool:
    """Whether any person ever signed in, by link or by password."""
    return User.objects.filter(Q(last_login__isnull=False) | Q(sign_in_links__used_at__isnull=False)).exists()
