"""The chart of failures as pages draw it: in the person's zone, every bar with the way to its calls."""

from typing import Any

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import localtime

from telemetry import figures
from telemetry.queries import FailureSeries, Span


def failures_chart(span: Span, failures: FailureSeries, *, tool: str = "") -> dict[str, Any]:
    """Give the figure of a span's failures, of all tools or one."""
    query = {"window": span.window, **({"tool": tool} if tool else {})}
    return figures.failures_by_class(
        buckets=[localtime(at) for at in span.buckets],
        step_s=span.step_s,
        by_class=failures.by_class,
        href=f"{reverse('calls')}?{urlencode(query)}",
    )
