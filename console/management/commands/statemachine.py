"""`manage.py statemachine`: write docs/lifecycle.md from the transition tables, or check that it agrees with them."""

import sys
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand

from escalations.domain.diagram import page


class Command(BaseCommand):
    help = "Write docs/lifecycle.md from the transition tables of cases."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; exit 1 where the page is old"
        )

    def handle(self, *args: object, check: bool = False, **options: object) -> None:
        target = settings.BASE_DIR / "docs" / "lifecycle.md"
        if not check:
            target.write_text(page(), encoding="utf-8")
            self.stdout.write(f"Written: {target.relative_to(settings.BASE_DIR)}")
            return
        if not target.exists() or target.read_text(encoding="utf-8") != page():
            self.stderr.write("docs/lifecycle.md is old. Run `manage.py statemachine`.")
            sys.exit(1)
        self.stdout.write("docs/lifecycle.md agrees with the tables.")
