"""Who could decide: the people whom a case can be put before."""

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
    people = get_user_model().objects.filter(is_active=True, groups__name__in=DECIDERS)
    return tuple(people.distinct().order_by("username").values_list("username", flat=True))
