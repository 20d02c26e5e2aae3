"""`manage.py reclassify`: today's rules judge stored calls again; the counters follow exactly."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.timezone import now

from telemetry.domain.classification import VERSION
from telemetry.operations import judge_again


class Command(BaseCommand):
    help = "Judges stored calls by today's rules, those whose class the rules gave. Safe to stop and to start again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tool", default="", help="only calls of this tool")

    def handle(self, *args: Any, **options: Any) -> None:
        seen = changed = 0
        after: int | None = 0
        while after is not None:
            done = judge_again(after=after, tool=options["tool"], at=now())
            seen, changed, after = seen + done.seen, changed + done.changed, done.after
        self.stdout.write(f"{seen} calls judged by version {VERSION}, {changed} changed")
