"""Registers the project itself, for its commands and checks."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """What joins the two apps."""

    name = "console"
