"""`manage.py recount`: the counters of the last days, compared with the calls themselves."""

import sys
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.timezone import now

from telemetry.domain.buckets import minute_of, start_of
from telemetry.operations.recount import recount

DAY = 1440
SHOWN = 50


class Command(BaseCommand):
    help = "Counts the calls of the last days again and says where a counter differs. Changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=int, choices=range(1, 8), default=1, help="whole days in UTC, with today"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        since = start_of(minute_of(now()) // DAY, DAY) - timedelta(days=options["days"] - 1)
        found = recount(since=since)
        for one in found.differences[:SHOWN]:
            self.stdout.write(f"{one.table} {one.key}: {one.stored} is stored, the calls say {one.recounted}")
        told = f"{found.calls} calls since {since:%Y-%m-%d %H:%M} UTC; {found.counters} counters, "
        told += f"{found.sketches} sketches of latency, {found.lines} lines of the ledger: "
        self.stdout.write(told + (f"{len(found.differences)} differ" if found.differences else "all equal"))
        if found.differences:
            sys.exit(1)
