"""From a stored row and its JSON to what pages are given of one call."""

from datetime import datetime
from typing import Any

import orjson
from django.utils.dateparse import parse_datetime

from telemetry.domain.ids import received_at
from telemetry.models import Call
from telemetry.queries.shapes import AttemptRow, CallDetail, CallRow, FailureDetail
from telemetry.vocabulary import ClassSource, FailureClass, Outcome, RecoveredBy, SideEffect

MESSAGE_LIMIT = 200
Json = dict[str, Any]


def details_of(row: Call) -> Json:
    """Give the JSON of a call; what was cut away entirely reads as nothing."""
    said = orjson.loads(row.detail)
    return said if isinstance(said, dict) else {}


def call_row(row: Call, agents: dict[int, str], said: Json) -> CallRow:
    """Give a call as lists show it."""
    series = row.series
    return CallRow(
        id=row.pk,
        agent_id=series.agent_id,
        agent=agents.get(series.agent_id, ""),
        call_id=row.call_id,
        rev=row.rev,
        trace_id=row.trace_id,
        tool=series.tool.name,
        outcome=Outcome(series.outcome),
        failure_class=FailureClass(series.failure_class) if series.failure_class else None,
        code=series.code,
        recovered_by=RecoveredBy(series.recovered_by) if series.recovered_by else None,
        started_at=row.started_at,
        received_at=received_at(row.pk),
        duration_ms=row.duration_us / 1000,
        attempts=row.attempts,
        message=_message(said),
        cause=f"{row.fingerprint:016x}" if row.fingerprint else "",
    )


def call_detail(row: Call, agents: dict[int, str]) -> CallDetail:
    """Give a call with everything that was reported of it."""
    said = details_of(row)
    failure = _failure(row, said)
    return CallDetail(
        row=call_row(row, agents, said),
        span_id=said.get("span_id"),
        parent_span_id=said.get("parent_span_id"),
        session_id=said.get("session_id"),
        agent_version=said.get("agent_version"),
        instance=said.get("instance"),
        turn=said.get("turn_id"),
        round=said.get("round"),
        side_effect=SideEffect(said.get("side_effect", SideEffect.READ)),
        dependency=said.get("dependency"),
        timeout_ms=said.get("timeout_ms"),
        limits=_mapping(said.get("limits")),
        failure=failure,
        attempts=tuple(_attempt(attempt) for attempt in _list(said.get("attempts"))),
        recovery=_mapping(said.get("recovery")) or None,
        recovery_ms=row.recovery_us / 1000 if row.series.recovered_by else None,
        items=tuple(_list(said.get("items"))),
        evidence=_mapping(said.get("evidence")),
        args=said.get("args"),
        has_args="args" in said,
        result=said.get("result"),
        has_result="result" in said,
        reasoning=said.get("reasoning"),
        attributes=_mapping(said.get("attributes")),
        retry_of=said.get("retry_of"),
        flags=tuple(said.get("flags", ())),
    )


def _failure(row: Call, said: Json) -> FailureDetail | None:
    if not row.series.failure_class:
        return None
    told, found = _mapping(said.get("failure")), _mapping(said.get("verdict"))
    both = {**found, **{name: value for name, value in told.items() if value is not None}}
    return FailureDetail(
        failure_class=FailureClass(row.series.failure_class),
        code=row.series.code,
        field=both.get("field"),
        constraint=both.get("constraint"),
        received=both.get("received"),
        has_received="received" in both,
        hint=both.get("hint"),
        message=both.get("message") or _seen(said),
        source=ClassSource(found.get("source", ClassSource.AGENT)),
        rule=found.get("rule"),
        confidence=found.get("confidence"),
        version=found.get("version"),
        retryable=found.get("retryable"),
        retry_after_s=found.get("retry_after_s"),
        by=str(found.get("by") or ""),
    )


def _attempt(said: Json) -> AttemptRow:
    return AttemptRow(
        n=said["n"],
        started_at=_time(said["started_at"]),
        duration_ms=said["duration_ms"],
        wait_ms=said.get("wait_ms", 0),
        http_status=said.get("http_status"),
        code=said.get("code"),
        failure_class=FailureClass(said["class"]) if said.get("class") else None,
    )


def _message(said: Json) -> str:
    """Give the failure in one line: what the agent says, else the exception, else where it lies."""
    told, found = _mapping(said.get("failure")), _mapping(said.get("verdict"))
    line = told.get("message") or _seen(said) or told.get("constraint") or found.get("constraint") or ""
    line = " ".join(str(line).split())
    return line if len(line) <= MESSAGE_LIMIT else line[: MESSAGE_LIMIT - 1] + "…"


def _seen(said: Json) -> str | None:
    exception = _mapping(_mapping(said.get("evidence")).get("exception"))
    if not exception:
        return None
    kind, message = exception.get("type", ""), exception.get("message")
    return f"{kind}: {message}" if message else str(kind)


def _time(text: str) -> datetime:
    at = parse_datetime(text)
    if at is None:
        raise ValueError(f"a stored attempt has no time: {text!r}")
    return at


def _mapping(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
