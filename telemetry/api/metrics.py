"""`/metrics` in Prometheus' text format."""

import hmac

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector, CollectorRegistry

from console.kit.http import NotSignedIn, problem_response
from telemetry import queries
from telemetry.operations.writer import writer


class _Everything(Collector):
    """What is asked of the database and of the writer at the moment of scraping."""

    def collect(self) -> list[Metric]:
        """Give every family."""
        return [*queries.metrics(at=now()), *_ingest()]


@csrf_exempt  # nothing can be sent, so that whoever does hears 405
@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer a scrape: by METRICS_TOKEN as a bearer, or to someone who is signed in."""
    if not (request.user.is_authenticated or _has_token(request)):
        return problem_response(NotSignedIn("Show METRICS_TOKEN as a bearer, or sign in."))
    registry = CollectorRegistry()
    registry.register(_Everything())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _has_token(request: HttpRequest) -> bool:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    wanted = settings.METRICS_TOKEN
    return bool(wanted) and kind.lower() == "bearer" and hmac.compare_digest(token.encode(), wanted.encode())


def _ingest() -> list[Metric]:
    stats = writer.stats
    waiting = GaugeMetricFamily(
        "switchboard_ingest_waiting_rows", "Rows in the queue of this process.", writer.waiting
    )
    last = GaugeMetricFamily(
        "switchboard_ingest_last_flush_timestamp_seconds", "When this process last wrote.", stats.last_at
    )
    rows = CounterMetricFamily("switchboard_ingest_rows", "Rows this process has written.", stats.rows)
    flushes = CounterMetricFamily(
        "switchboard_ingest_flushes", "Transactions this process has written.", stats.flushes
    )
    failed = CounterMetricFamily(
        "switchboard_ingest_failed_flushes", "Transactions that failed.", stats.failures
    )
    refused = CounterMetricFamily(
        "switchboard_ingest_refused_busy", "Requests refused by a full queue.", stats.refused
    )
    return [waiting, last, rows, flushes, failed, refused]
