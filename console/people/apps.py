"""Registers people with Django."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """The people app; it holds AUTH_USER_MODEL."""

    name = "console.people"
    label = "people"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the OpenAPI generator how people authenticate; it finds extensions by their being imported."""
        from console.people import schema  # noqa: F401, PLC0415  # drf_spectacular reads models: not before this
