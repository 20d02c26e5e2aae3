"""Plain functions that make rows for tests, one per noun; arguments say only what a test is about."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group


def person(name="ana", *roles):
    """A person who may sign in, with roles by name."""
    made = get_user_model().objects.create_user(name)
    made.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
    return made
