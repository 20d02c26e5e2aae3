"""The cases about failures of a tool, as pages of facts show them: all counted, the newest of them listed."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from escalations.models import Case
from escalations.queries.queue import OPEN, row_of
from escalations.queries.shapes import QueueRow

SHOWN = 30
AT_ONCE = 1_000  # traces asked about in one statement


@dataclass(frozen=True, slots=True)
class ToolCases:
    """The newest cases, how many there are, and how many of them are undecided."""

    rows: tuple[QueueRow, ...]
    n: int
    open: int


def tool_cases(
    *,
    tool: str,
    at: datetime,
    failure_class: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> ToolCases:
    """Give the cases about failures of a tool, or of all, that were opened in a time."""
    words = {"tool": tool, "failure_class": failure_class, "opened_at__gte": since, "opened_at__lte": until}
    return _told(Case.objects.filter(**{word: value for word, value in words.items() if value}), at)


def tool_cases_of_traces(*, tool: str, traces: Collection[str], at: datetime) -> ToolCases:
    """Give the cases about failures of a tool in some traces."""
    known, parts = sorted(traces), []
    for start in range(0, len(known), AT_ONCE):
        some = Case.objects.filter(tool=tool, trace_id__in=known[start : start + AT_ONCE])
        parts.append(_told(some, at))
    rows = sorted((row for part in parts for row in part.rows), key=lambda row: row.opened_at, reverse=True)
    return ToolCases(tuple(rows[:SHOWN]), sum(part.n for part in parts), sum(part.open for part in parts))


def traces_with_cases(*, tool: str) -> tuple[str, ...]:
    """Give the traces in which a failure of a tool was handed over."""
    rows = Case.objects.filter(tool=tool).exclude(trace_id="")
    return tuple(rows.values_list("trace_id", flat=True).distinct().order_by("trace_id"))


def _told(rows: QuerySet[Case], at: datetime) -> ToolCases:
    counted = rows.aggregate(n=Count("id"), open=Count("id", filter=Q(decision__in=OPEN)))
    newest = rows.order_by("-number")[:SHOWN] if counted["n"] else ()
    listed = tuple(row_of(case, at=at, same_cause=0) for case in newest)
    return ToolCases(listed, counted["n"], counted["open"])
