"""Bring the tables and the static files to what this code expects; for deployments that start `serve` themselves."""

from django.core.management.base import BaseCommand

from console.serving import preparation


class Command(BaseCommand):
    help = "Apply migrations and collect static files, where there is something to do."
    requires_system_checks = []

    def handle(self, *_args: object, **_options: object) -> None:
        preparation.migrate(self.stdout.write)
        preparation.collect_static(self.stdout.write)
