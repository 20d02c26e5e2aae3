"""Registers the notices' tables with Django."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """The outbox and the channels of people and teams."""

    name = "console.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"
