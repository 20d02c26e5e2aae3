"""Messages of MCP that carried a call are no calls of their own, in whatever order and process they were exported."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from telemetry.domain.otlp import Context, Span, Translated
from telemetry.domain.otlp.calls import MOST_REV
from telemetry.domain.otlp.producers import is_mcp
from telemetry.models import Call, CallKey, SpanContext
from telemetry.queries.details import details_of
from telemetry.vocabulary import Outcome, SideEffect

Place = tuple[str, str]
_ANY_MCP = "SELECT 1 FROM telemetry_spancontext WHERE agent_id = %s AND is_mcp AND trace_id IN"
MOST_STEPS = 4  # a tool's span, a client's, a server's, and one more
# What a stored call keeps of what was reported, beside its columns.
SAID = (
    "span_id", "parent_span_id", "session_id", "agent_version", "instance", "side_effect", "args", "result", "attempts",
    "attributes",
)  # fmt: skip


def tools_above(spans: Sequence[Span], *, agent_id: int) -> dict[Place, str]:
    """Give the tools of the spans above MCP spans, where those came in an earlier export."""
    here = {(span.trace_id, span.span_id) for span in spans}
    wanted = {(span.trace_id, span.parent_id) for span in spans if is_mcp(span) and span.parent_id} - here
    if not wanted:
        return {}
    rows = _contexts({trace for trace, _ in wanted}, agent_id)
    return {place: rows[place].tool for place in wanted if place in rows and rows[place].tool}


def merged(translated: Translated, *, agent_id: int, at: datetime) -> list[dict[str, Any]]:
    """Give the calls of an export, those it takes back, and those whose failure only a message beneath them tells."""
    taken_back = _taken_back(translated.contexts, agent_id, at)
    calls = translated.calls
    if taken_back:
        calls = [_with_failure(call, taken_back) for call in calls]
    corrected = _corrected(translated.failed_below, agent_id) if translated.failed_below else []
    return [*calls, *(call for _, call, _ in taken_back), *corrected]


Taken = tuple[
    Place, dict[str, Any], dict[str, Any]
]  # the span above, the retraction, the failure that it had


def _taken_back(contexts: Sequence[Context], agent_id: int, at: datetime) -> list[Taken]:
    """Take back MCP spans that were counted as calls before the tool span above them came."""
    above = {(one.trace_id, one.span_id): one.tool for one in contexts if one.tool}
    if not above:
        return []
    if not _any_mcp({trace for trace, _ in above}, agent_id):
        return []
    earlier = _contexts({trace for trace, _ in above}, agent_id, is_mcp=True).values()
    below = {row.call_id: row for row in earlier if above.get((row.trace_id, row.parent_id)) == row.tool}
    if not below:
        return []
    counted = CallKey.objects.filter(agent_id=agent_id, call_id__in=below, rev__lt=MOST_REV)
    rows = Call.objects.filter(pk__in=list(counted.values_list("call", flat=True))).select_related("series")
    return [
        ((below[row.call_id].trace_id, below[row.call_id].parent_id), _retraction(below[row.call_id], at), _failure(row))
        for row in rows
    ]  # fmt: skip


def _any_mcp(traces: set[str], agent_id: int) -> bool:
    """Say whether these traces have messages of MCP at all: nearly none has, and every export asks."""
    places = ", ".join(["%s"] * len(traces))
    with connection.cursor() as cursor:
        cursor.execute(f"{_ANY_MCP} ({places}) LIMIT 1", [agent_id, *traces])
        return cursor.fetchone() is not None


def _retraction(row: SpanContext, at: datetime) -> dict[str, Any]:
    return {
        "call_id": row.call_id,
        "rev": MOST_REV,
        "trace_id": row.trace_id,
        "tool": row.tool,
        "side_effect": str(SideEffect.READ),
        "started_at": at.isoformat(),
        "duration_ms": 0,
        "outcome": str(Outcome.SKIPPED),
        "attributes": {"merged": "the transport of the tool span above it"},
    }


def _failure(row: Call) -> dict[str, Any]:
    """Give what a stored call met, as it is reported; nothing where it worked."""
    if row.series.outcome != Outcome.FAILED:
        return {}
    said = details_of(row)
    evidence = said.get("evidence")
    kept = {"class": row.series.failure_class, "code": row.series.code}
    failure = {name: value for name, value in kept.items() if value}
    return {"failure": failure, **({"evidence": evidence} if evidence else {})}


def _with_failure(call: dict[str, Any], taken_back: Sequence[Taken]) -> dict[str, Any]:
    """Give a call the failure of the message that carried it, where it says nothing of one itself."""
    if {"failure", "evidence", "outcome"} & call.keys():
        return call
    here = (call["trace_id"], call.get("span_id", ""))
    return {**call, **next((failure for place, _, failure in taken_back if place == here), {})}


def _corrected(failed_below: Mapping[Place, dict[str, Any]], agent_id: int) -> list[dict[str, Any]]:
    """Report anew the calls of earlier exports that were taken for successes."""
    contexts = _contexts({trace for trace, _ in failed_below}, agent_id)
    corrected = []
    for place, failed in failed_below.items():
        row = _head(place, contexts, agent_id)
        if row is not None and row.series.outcome == Outcome.SUCCEEDED:
            corrected.append(_again(row, failed))
    return corrected


def _head(place: Place, contexts: Mapping[Place, SpanContext], agent_id: int) -> Call | None:
    """Find the stored call that a message belongs to: the topmost span of its tool."""
    found = contexts.get(place)
    for _ in range(MOST_STEPS):
        above = contexts.get((found.trace_id, found.parent_id)) if found else None
        if found is None or above is None or not found.is_mcp or above.tool != found.tool:
            break
        found = above
    if found is None:
        return None
    key = CallKey.objects.filter(agent_id=agent_id, call_id=found.call_id, rev__lt=MOST_REV).first()
    return Call.objects.select_related("series__tool").filter(pk=key.call).first() if key else None


def _again(row: Call, failed: dict[str, Any]) -> dict[str, Any]:
    said = details_of(row)
    return {
        **{name: said[name] for name in SAID if name in said},
        "call_id": row.call_id,
        "rev": row.rev + 1,
        "trace_id": row.trace_id,
        "tool": row.series.tool.name,
        "started_at": row.started_at.isoformat(),
        "duration_ms": row.duration_us / 1000,
        **failed,
    }


def _contexts(traces: set[str], agent_id: int, **narrower: Any) -> dict[Place, SpanContext]:
    rows = SpanContext.objects.filter(trace_id__in=traces, agent_id=agent_id, **narrower)
    return {(row.trace_id, row.span_id): row for row in rows}
