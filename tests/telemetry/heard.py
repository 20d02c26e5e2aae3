"""A trace as the console has stored it, in the words in which a recording says what it must give."""

from telemetry.queries import trace


def heard(trace_id):
    """Give the calls of a trace in the order they started, without what differs from run to run."""
    found = trace(trace_id=trace_id)
    calls = found.calls if found else ()
    ids = {each.span_id for each in calls}
    return [_said(each, ids) for each in calls if each.row.outcome != "skipped"]


def _said(call, ids):
    row, failure = call.row, call.failure
    said = {
        "tool": row.tool,
        "args": call.args,
        "outcome": str(row.outcome),
        "session": call.session_id,
        "agent": call.attributes.get("agent"),
        "tool_call_id": call.attributes.get("tool_call_id"),
        "source": call.attributes.get("source"),
        "hangs": bool(call.parent_span_id),
    }
    if call.has_result:
        said["result"] = call.result
    if len(call.attempts) > 1:
        said["attempts"] = [each.failure_class and str(each.failure_class) for each in call.attempts]
    if failure:
        said |= {"class": str(failure.failure_class), "code": failure.code, "message": failure.message}
        said |= {name: getattr(failure, name) for name in ("field",) if getattr(failure, name)}
    assert row.duration_ms >= 0
    return said
