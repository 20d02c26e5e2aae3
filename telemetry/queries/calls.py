"""Reads of single calls, lists and traces."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import orjson
from django.db import connection
from django.db.models import QuerySet

from console.kit.paging import Page, decode, page_of
from telemetry.domain.ids import first_id
from telemetry.models import Call, CallKey, Series
from telemetry.queries.agents import agent_names
from telemetry.queries.ancestors import with_ancestors
from telemetry.queries.details import call_detail, call_row, details_of
from telemetry.queries.shapes import CallDetail, CallRow, Trace
from telemetry.vocabulary import FailureClass, Outcome, RecoveredBy

NEWEST = 2**63 - 1
TRACE_LIMIT = 500


@dataclass(frozen=True, slots=True)
class CallFilter:
    """What a list of calls is narrowed to. `failed` keeps the calls that met a failure, recovered or not.

    `since` and `until` bound the moment a call arrived; they cost nothing, because ids carry that moment.
    """

    tool: str = ""
    failure_class: FailureClass | None = None
    code: str = ""
    outcome: Outcome | None = None
    recovered_by: RecoveredBy | None = None
    agent_id: int | None = None
    failed: bool = False
    fingerprint: str = ""  # as in `CauseRow.id`
    since: datetime | None = None
    until: datetime | None = None

    @property
    def narrows(self) -> bool:
        """Say whether some series are left out."""
        return replace(self, since=None, until=None, fingerprint="") != CallFilter()

    @property
    def ids(self) -> tuple[int, int]:
        """Give the ids between which the calls lie: from the first, to before the second."""
        return first_id(self.since) if self.since else 0, first_id(self.until) if self.until else NEWEST


def calls(*, filters: CallFilter, after: str | None = None, limit: int = 50) -> Page[CallRow]:
    """Give a page of calls, newest first. Its cost does not grow with what is stored, whatever the filter."""
    least, before = filters.ids
    if after:
        (cursor,) = decode(after, int)
        before = min(before, int(str(cursor)))
    rows = rows_of_calls().filter(pk__gte=least, pk__lt=before).order_by("-pk")
    if filters.fingerprint:  # its calls are one range of an index: what else is asked for is looked up in it
        rows = rows.filter(fingerprint=_hex(filters.fingerprint))
        rows = rows.filter(series__in=_series(filters)) if filters.narrows else rows
    elif filters.narrows:
        rows = rows.filter(pk__in=newest_of_series(_series(filters), before, limit + 1))
    found = list(rows[: limit + 1])
    agents = agent_names({row.series.agent_id for row in found})
    shown = [call_row(row, agents, details_of(row)) for row in found]
    return page_of(shown, limit=limit, key=lambda row: (row.id,))


def call(*, id: int, agent_id: int | None = None) -> CallDetail | None:  # noqa: A002  # the row's own word
    """Give one call by its row id; with `agent_id`, only where it is that agent's."""
    row = rows_of_calls().filter(pk=id).first()
    if row is None or (agent_id is not None and row.series.agent_id != agent_id):
        return None
    return call_detail(row, agent_names({row.series.agent_id}))


def call_of_agent(*, agent_id: int, call_id: str) -> CallDetail | None:
    """Give one call by the id that its agent gave it."""
    key = CallKey.objects.filter(agent_id=agent_id, call_id=call_id).values_list("call", flat=True).first()
    return None if key is None else call(id=key)


def trace(*, trace_id: str, agent_id: int | None = None, limit: int = TRACE_LIMIT) -> Trace | None:
    """Give the calls of a trace in the order they started; None where there are none."""
    rows = rows_of_calls().filter(trace_id=trace_id)
    if agent_id is not None:
        rows = rows.filter(series__agent_id=agent_id)
    found = list(rows.order_by("pk")[: limit + 1])
    if not found:
        return None
    agents = agent_names({row.series.agent_id for row in found})
    details = with_ancestors(trace_id, [call_detail(row, agents) for row in found[:limit]])
    shown = sorted(details, key=_start)
    ends = [one.row.started_at + timedelta(milliseconds=one.row.duration_ms) for one in shown]
    return Trace(
        trace_id=trace_id,
        calls=tuple(shown),
        started_at=shown[0].row.started_at,
        ended_at=max(ends),
        more=len(found) > limit,
    )


def _hex(text: str) -> int:
    """Give the id of a fingerprint, or one that nothing has."""
    try:
        return int(text[:16], 16) & NEWEST
    except ValueError:
        return NEWEST


def _start(one: CallDetail) -> tuple[object, ...]:
    return (one.row.started_at, one.row.id)


def rows_of_calls() -> QuerySet[Call]:
    """Give all calls with the words they are counted under."""
    return Call.objects.select_related("series", "series__tool")


def _series(filters: CallFilter) -> list[int]:
    """Give the series that a filter names: there are thousands of series where there are millions of calls."""
    series = Series.objects.filter(kind="o").exclude(agent_id=0)
    wanted = {
        "tool__name": filters.tool,
        "failure_class": filters.failure_class,
        "code": filters.code,
        "outcome": filters.outcome,
        "recovered_by": filters.recovered_by,
        "agent_id": filters.agent_id,
    }
    series = series.filter(**{name: value for name, value in wanted.items() if value})
    if filters.failed:
        series = series.exclude(failure_class="")
    return list(series.values_list("pk", flat=True))


NEWEST_OF_EACH = {
    "sqlite": """SELECT e.value, (SELECT MAX(id) FROM telemetry_call WHERE series_id = e.value AND id < %s)
FROM json_each(%s) e""",
    "postgresql": """SELECT s.id, (SELECT MAX(c.id) FROM telemetry_call c WHERE c.series_id = s.id AND c.id < %s)
FROM unnest(%s::bigint[]) s(id)""",
}
SOME_OF_EACH = {
    "sqlite": """SELECT (SELECT json_group_array(id) FROM (SELECT id FROM telemetry_call
WHERE series_id = e.value AND id < %s ORDER BY id DESC LIMIT %s)) FROM json_each(%s) e""",
    "postgresql": """SELECT (SELECT json_agg(id) FROM (SELECT c.id FROM telemetry_call c
WHERE c.series_id = s.id AND c.id < %s ORDER BY c.id DESC LIMIT %s) x)::text FROM unnest(%s::bigint[]) s(id)""",
}


def newest_of_series(series: Iterable[int], before: int, limit: int) -> list[int]:
    """Give the newest calls of many series by the index alone.

    First the newest of each: only the `limit` series with the newest of all can have a call among the `limit` newest.
    Then that many of each of those.
    """
    vendor = connection.vendor
    with connection.cursor() as cursor:
        cursor.execute(NEWEST_OF_EACH[vendor], [before, _many(series)])
        tops = sorted(((top, one) for one, top in cursor.fetchall() if top is not None), reverse=True)[:limit]
        cursor.execute(SOME_OF_EACH[vendor], [before, limit, _many(one for _, one in tops)])
        ids = [int(one) for (text,) in cursor.fetchall() if text for one in orjson.loads(text)]
    return sorted(ids, reverse=True)[:limit]


def _many(values: Iterable[int]) -> list[int] | str:
    some = list(values)
    return orjson.dumps(some).decode() if connection.vendor == "sqlite" else some
