"""Registers people with Django."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """The people app; it holds AUTH_USER_MODEL."""

    name = "console.people"
    label = "people"
    default_auto_field = "django.db.models.BigAutoField"
