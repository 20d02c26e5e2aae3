"""What Prometheus is told: totals that only grow, and how breakers and ingest stand now."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from django.db import connection
from django.db.models import Count
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from telemetry.models import BreakerTransition, Spike, Tool
from telemetry.queries.breakers import board
from telemetry.vocabulary import BreakerState, SpikeKind

_TOTALS = """SELECT s.kind, t.name, s.failure_class, s.outcome, s.recovered_by, SUM(r.n)
FROM telemetry_rollup r JOIN telemetry_series s ON s.id = r.series_id JOIN telemetry_tool t ON t.id = s.tool_id
WHERE r.agent_id = 0 AND r.grain = 1440 AND s.kind IN ('o', 'a')
GROUP BY s.kind, t.name, s.failure_class, s.outcome, s.recovered_by"""


def metrics(*, at: datetime) -> Iterator[Metric]:
    """Give every family, for whoever renders them."""
    yield from _calls()
    yield from _breakers(at)
    yield _spikes()


def _calls() -> Iterator[Metric]:
    operations = CounterMetricFamily(
        "toolcall_operations",
        "Tool calls by how they ended.",
        labels=["tool", "outcome", "failure_class", "recovered_by"],
    )
    attempts = CounterMetricFamily(
        "toolcall_failed_attempts", "Attempts that failed.", labels=["tool", "failure_class"]
    )
    with connection.cursor() as cursor:
        cursor.execute(_TOTALS)
        rows = cursor.fetchall()
    failed: Counter[tuple[str, str]] = Counter()
    for kind, tool, failure_class, outcome, by, n in rows:
        if kind == "o":
            operations.add_metric([tool, outcome, failure_class, by], int(n))
        else:
            failed[tool, failure_class] += int(n)
    for (tool, failure_class), n in sorted(failed.items()):
        attempts.add_metric([tool, failure_class], n)
    yield operations
    yield attempts


def _breakers(at: datetime) -> Iterator[Metric]:
    state = GaugeMetricFamily(
        "toolcall_breaker_state", "Live instances in each state.", labels=["breaker", "state"]
    )
    lives = GaugeMetricFamily(
        "toolcall_breaker_instances", "Instances by whether they are heard.", labels=["breaker", "heard"]
    )
    refused = CounterMetricFamily("toolcall_breaker_not_permitted", "Calls refused.", labels=["breaker"])
    pending = GaugeMetricFamily(
        "toolcall_breaker_command_pending",
        "Instances that have not confirmed the command in force.",
        labels=["breaker"],
    )
    for place in board(at=at).places:
        for one in BreakerState:
            state.add_metric([place.name, one.value], place.counts.get(one, 0))
        lives.add_metric([place.name, "fresh"], place.live)
        lives.add_metric([place.name, "stale"], place.stale)
        refused.add_metric([place.name], place.refused)
        waits = place.command.addressed - len(place.command.acks) if place.command else 0
        pending.add_metric([place.name], max(0, waits))
    moves = CounterMetricFamily(
        "toolcall_breaker_transitions", "Changes of breakers.", labels=["breaker", "from", "to", "reason"]
    )
    for row in BreakerTransition.objects.select_related("breaker"):
        moves.add_metric([row.breaker.name, row.from_state, row.to_state, row.reason], row.n)
    yield from (state, lives, refused, pending, moves)


def _spikes() -> Metric:
    found = GaugeMetricFamily("toolcall_spikes_open", "Spikes that are open.", labels=["tool", "subject"])
    rows = Spike.objects.filter(closed_at__isnull=True).exclude(kind=SpikeKind.NEW)
    names = dict(Tool.objects.filter(pk__in=rows.values("tool_id")).values_list("pk", "name"))
    for tool, subject, n in rows.values_list("tool_id", "subject").annotate(n=Count("pk")):
        found.add_metric([names.get(tool, ""), subject], n)
    return found
