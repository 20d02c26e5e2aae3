"""Who could decide, and who is told: people by name and by role."""

from collections.abc import Iterable

from django.contrib.auth import get_user_model

from console.kit.actor import Actor, ActorKind
from escalations.domain.permissions import DECIDERS


def decider_named(name: str) -> Actor | None:
    """Give the active person of this name who may decide, or None."""
    people = get_user_model().objects.filter(username=name, is_active=True, groups__name__in=DECIDERS)
    person = people.distinct().first()
    return Actor(ActorKind.PERSON, str(person.pk), person.get_username()) if person else None


def decider_names() -> tuple[str, ...]:
    """Give everybody who may decide, by name."""
    return names_in(DECIDERS)


def names_in(roles: Iterable[str]) -> tuple[str, ...]:
    """Give every active person who has one of these roles, by name."""
    people = get_user_model().objects.filter(is_active=True, groups__name__in=list(roles))
    return tuple(people.distinct().order_by("username").values_list("username", flat=True))


def active_deciders(names: Iterable[str]) -> frozenset[str]:
    """Give which of these people are active and may decide."""
    people = get_user_model().objects.filter(
        username__in=list(names), is_active=True, groups__name__in=DECIDERS
    )
    return frozenset(people.values_list("username", flat=True))


def ids_named(names: Iterable[str]) -> dict[str, str]:
    """Give the ids of active people by name; who is not there is left out."""
    people = get_user_model().objects.filter(username__in=list(names), is_active=True)
    return {name: str(key) for key, name in people.values_list("pk", "username")}
