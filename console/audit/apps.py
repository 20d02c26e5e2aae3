"""Registers the audit table with Django."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The audit app."""

    name = "console.audit"
    label = "audit"
    default_auto_field = "django.db.models.BigAutoField"
