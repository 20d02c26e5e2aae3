"""Conversation and agent of a call from the spans above it, which often come later than the call."""

from collections.abc import Sequence
from dataclasses import replace

from telemetry.models import SpanContext
from telemetry.queries.shapes import CallDetail

MOST_STEPS = 64


def with_ancestors(trace_id: str, calls: Sequence[CallDetail]) -> list[CallDetail]:
    """Fill in what the calls of a trace do not say themselves and a span above them does: one statement."""
    lacking = {
        call.row.agent_id
        for call in calls
        if call.span_id and not (call.session_id and call.attributes.get("agent"))
    }
    if not lacking:
        return list(calls)
    rows = SpanContext.objects.filter(agent_id__in=lacking, trace_id=trace_id)
    above = {(row.agent_id, row.span_id): row for row in rows}
    return [_filled(call, above) if above else call for call in calls]


def _filled(call: CallDetail, above: dict[tuple[int, str], SpanContext]) -> CallDetail:
    session, agent = call.session_id or "", str(call.attributes.get("agent") or "")
    span = call.parent_span_id
    for _ in range(MOST_STEPS):
        row = above.get((call.row.agent_id, span or ""))
        if row is None or (session and agent):
            break
        session, agent, span = session or row.session_id, agent or row.agent_name, row.parent_id
    attributes = {**call.attributes, "agent": agent} if agent else call.attributes
    return replace(call, session_id=session or None, attributes=attributes)
