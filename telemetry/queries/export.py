"""Calls in full, one after another, for whoever takes them elsewhere."""

from collections.abc import Iterator
from typing import Any

from telemetry.domain.search import Asked
from telemetry.models import Call
from telemetry.queries.calls import rows_of_calls
from telemetry.queries.details import details_of
from telemetry.queries.searches import search
from telemetry.queries.shapes import CallRow

CHUNK = 500


def every(asked: Asked) -> Iterator[dict[str, Any]]:
    """Give every call that a search finds, newest first, as it was reported and as it was judged."""
    after: str | None = None
    while True:
        page = search(asked, after=after, limit=CHUNK)
        stored = {row.pk: row for row in rows_of_calls().filter(pk__in=[one.id for one in page.rows])}
        yield from (_line(one, stored[one.id]) for one in page.rows if one.id in stored)
        after = page.after
        if after is None:
            return


def _line(row: CallRow, stored: Call) -> dict[str, Any]:
    """Put the columns over the details: what was counted stands even where the details were cut."""
    return {
        **details_of(stored),
        "call_id": row.call_id,
        "rev": stored.rev,
        "agent": row.agent,
        "trace_id": row.trace_id,
        "tool": row.tool,
        "outcome": row.outcome,
        "class": row.failure_class,
        "code": row.code or None,
        "recovered_by": row.recovered_by,
        "cause": f"{stored.fingerprint:016x}" if stored.fingerprint else None,
        "started_at": row.started_at,
        "received_at": row.received_at,
        "duration_ms": row.duration_ms,
    }
