"""Messages of MCP that carried a call are no calls of their own, in whatever order and process they were exported."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from telemetry.domain.otlp import Span, Translated
from telemetry.domain.otlp.calls import MOST_REV
from telemetry.domain.otlp.producers import is_mcp
from telemetry.models import Call, CallKey, SpanContext
from telemetry.operations.counting import statements
from telemetry.operations.intake import Submission, submissions_of
from telemetry.operations.prepare import Knowledge
from telemetry.operations.rows import ContextRow
from telemetry.queries.details import details_of
from telemetry.vocabulary import Outcome, SideEffect

Place = tuple[str, str]
AT_ONCE = 1_000  # parameters of a statement
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


def merged(translated: Translated, *, agent_id: int) -> list[dict[str, Any]]:
    """Give the calls of an export, and those of earlier ones whose failure only a message beneath them tells."""
    corrected = _corrected(translated.failed_below, agent_id) if translated.failed_below else []
    return [*translated.calls, *corrected]


def counted_twice(submissions: Sequence[Submission], *, knowledge: Knowledge) -> list[Submission]:
    """Give what takes back the messages of MCP that were counted as calls although a tool's span stands above them.

    To be asked after the commit of these: of two exports that cross, in whatever processes, the one that commits last
    then sees both.
    """
    spans: dict[tuple[int, int], list[ContextRow]] = {}
    for one in submissions:
        if tools := [row for row in one.contexts if row[6]]:
            spans.setdefault((one.agent_id, one.key_id), []).extend(tools)
    found, at = [], submissions[0].at
    for (agent_id, key_id), rows in spans.items():
        calls = _taken_back(rows, agent_id, at)
        found += submissions_of(calls, agent_id=agent_id, key_id=key_id, at=at, knowledge=knowledge)
    return found


def _taken_back(spans: Sequence[ContextRow], agent_id: int, at: datetime) -> list[dict[str, Any]]:
    """Take back the messages among these spans and beneath them that are counted.

    A call that worked as far as its own span says fails as the message did that carried it.
    """
    under = [(trace, span, tool, "") for _, trace, span, _, _, _, tool, *_ in spans]
    messages = [
        (trace, parent, tool, call_id)
        for _, trace, _, parent, _, _, tool, mcp, call_id, _ in spans
        if mcp and parent
    ]
    with connection.cursor() as cursor:
        carried = statements(cursor).carried(agent_id, under=under, messages=messages)
    above = {call_id: (trace, span) for call_id, trace, span in carried}
    rows = _counted(sorted(above), agent_id)
    failed = {above[row.call_id]: failure for row in rows if (failure := _failure(row))}
    return [*(_retraction(row, at) for row in rows), *_corrected(failed, agent_id)]


def _counted(call_ids: Sequence[str], agent_id: int) -> list[Call]:
    """Give those of these calls that are stored and were not taken back, in the order of their arrival."""
    found: list[Call] = []
    for start in range(0, len(call_ids), AT_ONCE):
        some = call_ids[start : start + AT_ONCE]
        keys = CallKey.objects.filter(agent_id=agent_id, call_id__in=some, rev__lt=MOST_REV)
        rows = Call.objects.filter(pk__in=list(keys.values_list("call", flat=True)))
        found += rows.select_related("series__tool")
    return sorted(found, key=lambda row: row.pk)


def _retraction(row: Call, at: datetime) -> dict[str, Any]:
    return {
        "call_id": row.call_id,
        "rev": MOST_REV,
        "trace_id": row.trace_id,
        "tool": row.series.tool.name,
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


def _contexts(traces: set[str], agent_id: int) -> dict[Place, SpanContext]:
    rows = SpanContext.objects.filter(trace_id__in=traces, agent_id=agent_id)
    return {(row.trace_id, row.span_id): row for row in rows}
