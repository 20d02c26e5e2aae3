"""One spike in full: what was seen and expected, what stood beside it, and the cases that came of it."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_safe

import escalations.queries
import telemetry.queries
from telemetry.pages.spikes import told_of
from telemetry.queries import SpikeRow


@login_required
@require_safe
def spike(request: HttpRequest, spike_id: int) -> HttpResponse:
    """Show one spike, with the cases of its tool and class that were opened in its time."""
    at = now()
    page = telemetry.queries.spike_page(spike_id=spike_id, at=at)
    if page is None:
        raise Http404
    row = page.row
    cases = escalations.queries.tool_cases(
        tool=row.tool,
        failure_class=row.failure_class or "",
        since=row.seen_since,
        until=row.closed_at,
        at=at,
    )
    told = {**told_of(request, page, at), "cases": cases, "queue_search": _search(row)}
    return render(request, "console/spike.html", told)


def _search(row: SpikeRow) -> str:
    """Give the queue's filter for the cases of a spike, as far as it has words for it."""
    words = [f'tool:"{row.tool}"'] if row.tool else []
    words += [f"class:{row.failure_class}"] if row.failure_class else []
    return " ".join(words)
