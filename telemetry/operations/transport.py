"""Messages of MCP that carried a call are no calls of their own, in whatever order and process they were exported.

Each span's place, tool and failure are kept (`SpanContext`); what follows from them is settled after every commit of some, from
what is stored by then. Of exports that cross, the one that commits last sees all of them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson
from django.db import connection

from telemetry.domain.otlp import Span
from telemetry.domain.otlp.calls import MOST_REV
from telemetry.domain.otlp.neighbours import MOST_STEPS
from telemetry.domain.otlp.producers import is_mcp
from telemetry.domain.otlp.reading import Place
from telemetry.models import Call, CallKey
from telemetry.operations.counting import statements
from telemetry.operations.intake import Submission, submissions_of
from telemetry.operations.prepare import Knowledge
from telemetry.operations.rows import ContextRow, Store, ToolSpan
from telemetry.queries.details import details_of
from telemetry.vocabulary import Outcome, SideEffect

Below = Mapping[Place, Sequence[ToolSpan]]
AT_ONCE = 1_000  # parameters of a statement
# What a stored call keeps of what was reported, beside its columns.
SAID = (
    "span_id", "parent_span_id", "session_id", "agent_version", "instance", "side_effect", "args", "result", "attempts",
)  # fmt: skip
FAILED_BY = "failed_by"


def tools_above(spans: Sequence[Span], *, agent_id: int) -> dict[Place, str]:
    """Give the tools of the spans above MCP spans, where those came in an earlier export: it saves most corrections."""
    here = {(span.trace_id, span.span_id) for span in spans}
    wanted = {(span.trace_id, span.parent_id) for span in spans if is_mcp(span) and span.parent_id} - here
    if not wanted:
        return {}
    with connection.cursor() as cursor:
        found = statements(cursor).spans_at(agent_id, sorted(wanted))
    return {_place(one): one.tool for one in found if one.tool}


def settling(submissions: Sequence[Submission], *, knowledge: Knowledge) -> list[Submission]:
    """Give what takes back messages that were counted as calls, and fails calls whose messages failed, after the commit of these."""
    spans: dict[tuple[int, int], list[ToolSpan]] = {}
    for one in submissions:
        if tools := [_tool_span(row) for row in one.contexts if row[6]]:
            spans.setdefault((one.agent_id, one.key_id), []).extend(tools)
    found, at = [], submissions[0].at
    for (agent_id, key_id), tools in spans.items():
        calls = _settled(tools, agent_id, at)
        found += submissions_of(calls, agent_id=agent_id, key_id=key_id, at=at, knowledge=knowledge)
    return found


def _tool_span(row: ContextRow) -> ToolSpan:
    _, trace, span, parent, _, _, tool, mcp, call_id, _, failed = row
    return ToolSpan(trace, span, tool, parent, mcp, call_id, failed)


def _settled(spans: Sequence[ToolSpan], agent_id: int, at: datetime) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        sql = statements(cursor)
        heads = _heads(sql, spans, agent_id)
        below = _below(sql, heads, agent_id)
    if not below:
        return []
    messages = {one.call_id for some in below.values() for one in some}
    carried = {head.call_id: _why(below, head) for head in heads if _place(head) in below}
    calls = (
        _retraction(row, at) if row.call_id in messages else _again(row, carried[row.call_id])
        for row in _counted(messages | carried.keys(), agent_id)
    )
    return [call for call in calls if call]


def _heads(sql: Store, spans: Sequence[ToolSpan], agent_id: int) -> list[ToolSpan]:
    """Climb from messages to the spans of the calls that they carried."""
    heads: dict[Place, ToolSpan] = {}
    step = list(spans)
    for _ in range(MOST_STEPS):
        above = {(one.trace_id, one.parent_id) for one in step if one.is_mcp and one.parent_id}
        found = {_place(one): one for one in sql.spans_at(agent_id, sorted(above))} if above else {}
        higher: dict[Place, ToolSpan] = {}
        for one in step:
            over = found.get((one.trace_id, one.parent_id)) if one.is_mcp else None
            if over is not None and over.tool == one.tool:
                higher[_place(over)] = over
            else:
                heads[_place(one)] = one
        step = list(higher.values())
    return [*heads.values(), *step]


def _below(sql: Store, heads: Iterable[ToolSpan], agent_id: int) -> Below:
    """Find the messages that carried calls, by the span right above them."""
    below: dict[Place, list[ToolSpan]] = defaultdict(list)
    step = list(heads)
    for _ in range(MOST_STEPS):
        step = sql.messages_under(agent_id, [one[:3] for one in step]) if step else []
        for one in step:
            below[one.trace_id, one.parent_id].append(one)
    return below


def _why(below: Below, span: ToolSpan, steps: int = MOST_STEPS) -> str:
    """Say why the messages of a call failed it; nothing where one of several tries got through."""
    why = ""
    for one in below.get(_place(span), ()) if steps else ():
        why = one.failed or _why(below, one, steps - 1)
        if not why:
            return ""
    return why


def _place(span: ToolSpan) -> Place:
    return span.trace_id, span.span_id


def _counted(call_ids: Iterable[str], agent_id: int) -> list[Call]:
    """Give those of these calls that are stored and were not taken back, in the order of their arrival."""
    found: list[Call] = []
    wanted = sorted(call_ids)
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
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


def _again(row: Call, why: str) -> dict[str, Any]:
    """Report a call anew where only its messages tell that it failed, or where another try got through since they did."""
    said = details_of(row)
    attributes = dict(said.get("attributes") or {})
    by_message = attributes.pop(FAILED_BY, None) is not None
    outcome = row.series.outcome
    if why and outcome == Outcome.SUCCEEDED:
        attributes[FAILED_BY] = "a message beneath it"
    elif why or not by_message or outcome != Outcome.FAILED:
        return {}
    return {
        **{name: said[name] for name in SAID if name in said},
        "call_id": row.call_id,
        "rev": row.rev + 1,
        "trace_id": row.trace_id,
        "tool": row.series.tool.name,
        "started_at": row.started_at.isoformat(),
        "duration_ms": row.duration_us / 1000,
        "attributes": attributes,
        **(orjson.loads(why) if why else {}),
    }
