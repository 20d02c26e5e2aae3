"""What the watch over spikes reads: the last half hour of every class of every tool, and what stood beside it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from telemetry.domain.buckets import Cut, minute_of
from telemetry.models import BreakerPart, Marker, Tool
from telemetry.queries.causes import top_causes
from telemetry.queries.guards import guards

PERSON = "person"
ALL_TOOLS = 0
DEPLOY_WITHIN = timedelta(hours=24)
_RECENT = """SELECT s.tool_id, s.failure_class,
SUM(CASE WHEN r.bucket = %s THEN r.n ELSE 0 END), SUM(CASE WHEN r.bucket > %s THEN r.n ELSE 0 END), SUM(r.n),
SUM(CASE WHEN r.bucket = %s AND {person} THEN r.n ELSE 0 END),
SUM(CASE WHEN r.bucket > %s AND {person} THEN r.n ELSE 0 END), SUM(CASE WHEN {person} THEN r.n ELSE 0 END)
FROM telemetry_rollup r JOIN telemetry_series s ON s.id = r.series_id
WHERE r.agent_id = 0 AND r.grain = 1 AND r.bucket > %s AND r.bucket <= %s
AND s.kind = 'o' AND s.outcome NOT IN ('deferred', 'skipped') GROUP BY s.tool_id, s.failure_class""".format(
    person="(s.outcome = 'escalated' OR s.recovered_by = 'human')"
)
_PAST = """SELECT r.bucket, SUM(r.n), SUM(CASE WHEN {subject} THEN r.n ELSE 0 END)
FROM telemetry_rollup r JOIN telemetry_series s ON s.id = r.series_id
WHERE r.agent_id = 0 AND r.grain = 60 AND r.bucket >= %s AND r.bucket < %s AND s.kind = 'o'
AND s.outcome NOT IN ('deferred', 'skipped') {tool} GROUP BY r.bucket ORDER BY r.bucket"""
_AGENTS = """SELECT a.name, SUM(r.n) FROM telemetry_series s
JOIN telemetry_rollup r ON r.agent_id = s.agent_id AND r.series_id = s.id AND r.grain = 1
AND r.bucket > %s AND r.bucket <= %s JOIN telemetry_agent a ON a.id = s.agent_id
WHERE s.kind = 'o' AND s.agent_id <> 0 {tool} {subject} GROUP BY a.name ORDER BY 2 DESC LIMIT 10"""
_SUBJECT = {True: "(s.outcome = 'escalated' OR s.recovered_by = 'human')", False: "s.failure_class = %s"}


@dataclass(frozen=True, slots=True)
class Recent:
    """Calls and failures of one subject: the last minute, the last five, the last thirty."""

    calls: tuple[int, int, int]
    failures: tuple[int, int, int]


def recent(minute: int) -> dict[tuple[int, str], Recent]:
    """Give what has failed in the half hour that ends with this minute, by (tool, subject)."""
    marks = [minute, minute - 5]
    with connection.cursor() as cursor:
        cursor.execute(_RECENT, [*marks, *marks, minute - 30, minute])
        rows = cursor.fetchall()
    calls: dict[int, tuple[int, int, int]] = {}
    failures: dict[tuple[int, str], tuple[int, int, int]] = {}
    for tool, name, *numbers in rows:
        one, five, thirty, *people = map(int, numbers)
        for of in (tool, ALL_TOOLS):
            calls[of] = _plus(calls.get(of), (one, five, thirty))
        if name:
            failures[tool, name] = _plus(failures.get((tool, name)), (one, five, thirty))
        needed = _plus(failures.get((ALL_TOOLS, PERSON)), (people[0], people[1], people[2]))
        failures[ALL_TOOLS, PERSON] = needed
    return {key: Recent(calls[key[0]], seen) for key, seen in failures.items()} | {
        (tool, ""): Recent(seen, (0, 0, 0)) for tool, seen in calls.items()
    }


def past_hours(tool_id: int, subject: str, *, until: int) -> list[tuple[int, int, int]]:
    """Give (hour, calls, failures) of the week before a minute, for a subject that begins to be watched."""
    tool = "AND s.tool_id = %s" if tool_id else ""
    statement = _PAST.format(subject=_SUBJECT[subject == PERSON], tool=tool)
    words = [] if subject == PERSON else [subject]
    params: list[int | str] = [*words, until // 60 - 7 * 24, until // 60, *([tool_id] if tool_id else [])]
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return [(int(hour), int(calls), int(failures)) for hour, calls, failures in cursor.fetchall()]


def beside(tool_id: int, subject: str, *, minute: int, at: datetime) -> dict[str, Any]:
    """Give what stood beside a spike as it opened: causes, agents, breakers, the last deploy."""
    name = Tool.objects.filter(pk=tool_id).values_list("name", flat=True).first() or ""
    period = Cut(minute - 29, minute + 1, 30, 1)
    wanted = "" if subject == PERSON else subject
    causes = top_causes(period, tool_id=tool_id or None, failure_class=wanted, limit=3)
    parts = BreakerPart.objects.filter(breaker__name__in=guards(name) if name else []).exclude(state="closed")
    deploys = Marker.objects.filter(at__lte=at, at__gt=at - DEPLOY_WITHIN, tool__in=["", name])
    deploy = deploys.order_by("-at").first()
    return {
        "causes": [{"id": row.id, "code": row.code, "template": row.template, "n": row.n} for row in causes],
        "agents": _agents(tool_id, subject, minute),
        "breakers": [
            {"name": breaker, "state": state}
            for breaker, state in sorted(set(parts.values_list("breaker__name", "state")))
        ],
        "deploy": None if deploy is None else _deploy(deploy),
    }


def _deploy(row: Marker) -> dict[str, Any]:
    told = {"name": row.name, "version": row.version, "url": row.url, "tool": row.tool, "by": row.made_by}
    return {"id": row.pk, "at": row.at.isoformat(), **told}


def _agents(tool_id: int, subject: str, minute: int) -> list[dict[str, Any]]:
    tool = "AND s.tool_id = %s" if tool_id else ""
    words = [] if subject == PERSON else [subject]
    statement = _AGENTS.format(tool=tool, subject=f"AND {_SUBJECT[subject == PERSON]}")
    params: list[int | str] = [minute - 30, minute, *([tool_id] if tool_id else []), *words]
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return [{"name": name, "n": int(n)} for name, n in cursor.fetchall()]


def _plus(known: tuple[int, int, int] | None, more: tuple[int, int, int]) -> tuple[int, int, int]:
    if known is None:
        return more
    return known[0] + more[0], known[1] + more[1], known[2] + more[2]


def due_minute(last: int | None, *, at: datetime, grace: timedelta, most_behind: int) -> int | None:
    """Give the next minute to judge, or None: a minute is over when late reports had a moment to come."""
    newest = minute_of(at - grace) - 1
    if last is None:
        return newest
    return None if newest <= last else max(last + 1, newest - most_behind)
