"""Registers telemetry with Django."""

from django.apps import AppConfig


class TelemetryConfig(AppConfig):
    name = "telemetry"
    default_auto_field = "django.db.models.BigAutoField"
