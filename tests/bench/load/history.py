"""A store filled with weeks of calls in minutes: the same rows and counters as ingest writes, without HTTP and JSON.

Calls are drawn, counted by `domain.tally` and written by the statements of ingest, an hour a transaction, the newest hour
first. What is left out: the keys of calls, the ledger, and waiting for the disk.
"""

import json
import random
from datetime import UTC, datetime, timedelta
from itertools import islice

from django.db import connection, transaction

from telemetry.domain.buckets import minute_of, start_of
from telemetry.domain.ids import first_id, id_of_words
from telemetry.domain.tally import Counted, Tally
from telemetry.models import Agent, Call
from telemetry.operations.counting import statements
from telemetry.operations.partitions import ensure_partition
from telemetry.operations.rows import CallRow

TOOLS = [f"tool.{n}" for n in range(20)]
AGENTS = [f"agent-{n}" for n in range(5)]
HOUR = 60
FATES = (  # share, class, code, outcome, recovered by
    (0.92, "", "", "succeeded", ""),
    (0.04, "transient", "TIMEOUT", "recovered", "retry"),
    (0.01, "invalid_args", "BAD_VALUE", "recovered", "model"),
    (0.02, "hard", "NOT_FOUND", "failed", ""),
    (0.007, "unknown_outcome", "TIMEOUT", "escalated", ""),
    (0.003, "transient", "RATE_LIMITED", "recovered", "human"),
)
DETAILS = [
    json.dumps({"outcome": "succeeded", "side_effect": "read", "args": {"from": "VIE", "n": n}, "result": {"offers": [{"id": n, "price": 120.5}]}}).encode()
    for n in range(100)
]  # fmt: skip
CAUSES = {(tool, fate[2]): id_of_words("cause", tool, fate[2]) for tool in TOOLS for fate in FATES if fate[1]}


class History:
    """Hours of calls, from the newest to the oldest."""

    def __init__(self, *, calls, hours, at):
        self.per_hour, self.hours, self.at = calls // hours, hours, at
        self.agents = [Agent.objects.create(name=name, made_at=at).pk for name in AGENTS]
        self._draw = random.Random(7)
        self._last = minute_of(at) // HOUR

    def fill(self, hours, say):
        """Write these hours (0 is the newest)."""
        for hour in hours:
            ensure_partition(start_of(self._last - hour, HOUR))
            with transaction.atomic(), connection.cursor() as cursor:
                self._write(statements(cursor), self._last - hour)
            if hour % 24 == 23:
                say(f"  {hour + 1} of {self.hours} hours, {(hour + 1) * self.per_hour:,} calls")

    def _write(self, sql, hour):
        tally, rows = Tally(), []
        at = start_of(hour, HOUR)
        step = 3_600_000_000 // self.per_hour
        counted = islice(self._calls(hour), self.per_hour)
        for number, one in enumerate(counted):
            tally.add(one)
            moment = at + timedelta(microseconds=number * step)
            trace = f"{hour:08x}{number // 4:024x}"  # four calls a trace
            numbers = (one.duration_us, one.attempts, one.recovery_us, one.fingerprint)
            rows.append(
                CallRow(
                    first_id(moment),
                    one.series,
                    f"{hour:x}-{number:x}",
                    0,
                    trace,
                    one.minute,
                    moment,
                    *numbers,
                    DETAILS[number % len(DETAILS)],
                )
            )
        sql.known_words({id_of_words("tool", name): name for name in TOOLS}, tally.series(), at=at)
        sql.known_causes(self._causes(rows[0].id, at))
        sql.insert(rows)
        sql.roll_up(tally.rollups())
        sql.sketch(tally.sketches())

    def _calls(self, hour):
        draw, names = self._draw, [(tool, id_of_words("tool", tool)) for tool in TOOLS]
        weights = [fate[0] for fate in FATES]
        while True:
            fates = draw.choices(FATES, weights, k=1_000)
            for n, (_, name, code, outcome, by) in enumerate(fates):
                tool, tool_id = draw.choice(names)
                duration = int(draw.lognormvariate(5, 0.8) * 1000)
                tried = ((name, code),) if outcome == "recovered" else ()
                yield Counted(
                    draw.choice(self.agents), tool_id, name, code, outcome, by, hour * HOUR + n % HOUR, duration,
                    2 if tried else 1, 900_000 if by else 0, tried, CAUSES.get((tool, code), 0),
                )  # fmt: skip

    def _causes(self, call, at):
        told = {(fate[2], fate[1]) for fate in FATES if fate[1]}
        rows = [
            (CAUSES[tool, code], id_of_words("tool", tool), name, code, f"{code} of {tool}", at, call)
            for tool in TOOLS
            for code, name in told
            if (tool, code) in CAUSES
        ]
        return sorted({row[0]: row for row in rows}.values())

    def trace(self):
        """Give a trace of the newest hour."""
        newest = Call.objects.order_by("-pk").first()
        return newest.trace_id


def now():
    """The end of the minute that the newest hour lies in."""
    return datetime.now(UTC).replace(minute=59, second=59)
