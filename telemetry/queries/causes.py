"""Failures by cause: what is behind the numbers of a class."""

from datetime import datetime

from telemetry.domain.buckets import Cut, cut, start_of
from telemetry.domain.tally import ALL_AGENTS
from telemetry.models import Fingerprint, Tool
from telemetry.queries import rollups
from telemetry.queries.shapes import CauseRow
from telemetry.vocabulary import FailureClass, Window

MOST = 20
MOST_READ = 500  # causes; what is rarer is noise


def causes(
    *,
    window: Window,
    at: datetime,
    tool: str = "",
    failure_class: str = "",
    agent_id: int | None = None,
    limit: int = MOST,
) -> tuple[CauseRow, ...]:
    """Give the causes of most failures in a window, of one tool or of all."""
    tool_id = Tool.objects.filter(name=tool).values_list("pk", flat=True).first() if tool else None
    if tool and tool_id is None:
        return ()
    period = cut(window, at=at)
    return top_causes(period, agent_id=agent_id, tool_id=tool_id, failure_class=failure_class, limit=limit)


def is_new(cause: Fingerprint, *, since: datetime) -> bool:
    """Say whether a cause is news: seen for the first time since then, in a tool that was known before."""
    return cause.tool.first_seen_at < since <= cause.first_seen_at


def top_causes(
    period: Cut,
    *,
    agent_id: int | None = None,
    tool_id: int | None = None,
    failure_class: str = "",
    limit: int = MOST,
) -> tuple[CauseRow, ...]:
    """Give the causes of most failures in a stretch of time."""
    counts = rollups.by_cause(period, agent_id=agent_id or ALL_AGENTS, tool_id=tool_id)
    most = sorted(counts, key=lambda one: -counts[one])[:MOST_READ]
    rows = Fingerprint.objects.select_related("tool").filter(pk__in=most)
    if failure_class:
        rows = rows.filter(failure_class=failure_class)
    start = start_of(period.start, 1)
    shown = [
        CauseRow(
            id=f"{row.pk:016x}",
            tool=row.tool.name,
            failure_class=FailureClass(row.failure_class),
            code=row.code,
            template=row.template,
            n=counts[row.pk],
            first_seen_at=row.first_seen_at,
            new=is_new(row, since=start),
        )
        for row in rows
    ]
    return tuple(sorted(shown, key=lambda row: (-row.n, row.id))[:limit])
