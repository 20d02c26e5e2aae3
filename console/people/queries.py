"""What is read about people."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from console.people.models import PersonalToken, User


@dataclass(frozen=True, slots=True)
class Token:
    """A live personal token, without its secret."""

    id: int
    prefix: str
    label: str
    made_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Person:
    """One line of the list of people."""

    id: int
    name: str
    roles: tuple[str, ...]
    is_active: bool
    last_entered_at: datetime | None
    has_password: bool


def anybody_entered() -> bool:
    """Whether any person ever signed in, by link or by password."""
    return User.objects.filter(Q(last_login__isnull=False) | Q(sign_in_links__used_at__isnull=False)).exists()


def tokens_of(*, person_id: int) -> tuple[Token, ...]:
    """Give a person's live tokens, newest first."""
    rows = PersonalToken.objects.filter(person_id=person_id, revoked_at__isnull=True).order_by(
        "-made_at", "-pk"
    )
    return tuple(
        Token(row.pk, row.prefix, row.label, row.made_at, row.expires_at, row.last_used_at)
        for row in rows[:100]
    )


def person_named(name: str) -> int | None:
    """Give the id of whoever has this name, or None."""
    return User.objects.filter(username=name).values_list("pk", flat=True).first()


def everybody() -> tuple[Person, ...]:
    """Give all people by name, those who were deactivated last."""
    rows = User.objects.prefetch_related("groups").order_by("-is_active", "username")
    return tuple(
        Person(
            id=row.pk,
            name=row.username,
            roles=tuple(sorted(group.name for group in row.groups.all())),
            is_active=row.is_active,
            last_entered_at=row.last_login,
            has_password=row.has_usable_password(),
        )
        for row in rows
    )
