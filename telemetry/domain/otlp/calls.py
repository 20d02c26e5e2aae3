"""Tool spans of one export translated to reported calls; all other spans give the context of calls."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from telemetry.domain.otlp.producers import Producer, is_mcp, part, producer_of, tool_name
from telemetry.domain.otlp.spans import Span
from telemetry.vocabulary import FailureClass, Outcome, SideEffect

MOST_REV = 2**31 - 1
MOST_ATTEMPTS = 50
LONGEST_ID = 128
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, tzinfo=UTC)
# Interrupts that frameworks raise to wait for a person: they are no failures.
DEFERRALS = frozenset({
    "GraphInterrupt", "NodeInterrupt", "Interrupt", "Command", "ParentCommand", "CallDeferred", "ApprovalRequired",
    "InputRequired", "InputRequiredResult", "ToolApprovalRequired",
})  # fmt: skip
_READS = re.compile(
    r"(?:^|[._/-])(?:get|list|search|find|query|read|fetch|lookup|look_up|check|describe|show|retrieve|count|view|"
    r"preview|validate|calculate|convert|weather|status)(?:$|[._/A-Z-])",
    re.IGNORECASE,
)
_ARGUMENTS = re.compile(
    r"fix your mistakes|validation error|invalid (?:arguments|parameters|input)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Context:
    """What a span says about the calls beneath it: conversation and agent, and where it hangs."""

    trace_id: str
    span_id: str
    parent_id: str
    session_id: str
    agent: str
    tool: str  # where it is a tool span: its tool
    is_mcp: bool
    call_id: str


@dataclass(frozen=True, slots=True)
class Translated:
    """The calls of an export as JSON, and the context of all its spans."""

    calls: list[dict[str, Any]]
    contexts: list[Context]


def translate(
    spans: Sequence[Span], *, tool_above: Mapping[tuple[str, str], str] | None = None
) -> Translated:
    """Translate spans to calls. An MCP span under a tool span of the same tool is its transport and no call.

    `tool_above` gives the tools of spans that came in earlier exports, by (trace id, span id).
    """
    above = {**(tool_above or {})}
    tools: list[tuple[Span, Producer, str]] = []
    for span in spans:
        producer = producer_of(span)
        if producer is not None:
            tools.append((span, producer, tool_name(span, producer)))
            if not is_mcp(span):
                above[span.trace_id, span.span_id] = tools[-1][2]
    children: dict[tuple[str, str], list[Span]] = defaultdict(list)
    for span in spans:
        children[span.trace_id, span.parent_id].append(span)
    own = [
        one
        for one in tools
        if not (is_mcp(one[0]) and above.get((one[0].trace_id, one[0].parent_id)) == one[2])
    ]
    groups: dict[str, list[tuple[Span, Producer, str]]] = defaultdict(list)
    for one in own:
        groups[_call_id(one[0])].append(one)
    calls = [_call(call_id, tries, children) for call_id, tries in groups.items()]
    named = {(span.trace_id, span.span_id): name for span, _, name in tools}
    return Translated(calls, [_context(span, named) for span in spans])


def _call_id(span: Span) -> str:
    """Name the operation: attempts that say what they are attempts of share it."""
    operation = span.get("toolcall.operation.id")
    if isinstance(operation, str) and operation:
        return f"{span.trace_id}:{operation}"[:LONGEST_ID]
    return f"{span.trace_id}:{span.span_id}"


def _call(
    call_id: str, tries: list[tuple[Span, Producer, str]], children: Mapping[tuple[str, str], list[Span]]
) -> dict[str, Any]:
    tries.sort(key=lambda one: (one[0].start, one[0].span_id))
    (first, _, _), (last, producer, name) = tries[0], tries[-1]
    has_args, args = part(last, producer.args)
    has_result, result = part(last, producer.result)
    below = [child for span, _, _ in tries for child in children[span.trace_id, span.span_id]]
    call: dict[str, Any] = {
        "call_id": call_id,
        "rev": min(
            max(0, last.end - first.start) // 1_000_000, MOST_REV
        ),  # a later end replaces an earlier one
        "trace_id": last.trace_id,
        "span_id": last.span_id,
        "parent_span_id": last.parent_id or None,
        "session_id": _text(last.get("gen_ai.conversation.id", "session.id", "langfuse.session.id"), 128),
        "instance": _text(last.get("service.instance.id"), 128),
        "agent_version": _text(last.get("service.version"), 128),
        "tool": name,
        "side_effect": str(_side_effect(last, name)),
        "started_at": _time(first.start).isoformat(),
        "duration_ms": (last.end - first.start) / 1e6,
        "attempts": _attempts([span for span, _, _ in tries], below),
        "attributes": _attributes(last, producer),
    }
    call = {key: value for key, value in call.items() if value not in (None, [])}
    call |= {"args": args} if has_args else {}
    call |= {"result": result} if has_result else {}
    return {**call, **_ending(last, below, result)}


def _ending(span: Span, below: Iterable[Span], result: Any) -> dict[str, Any]:
    """Say how it ended, as far as the span says; the rest is for the classifier."""
    exception = _exception(span)
    if span.get("pydantic_ai.tool.deferral.name") or (
        exception and exception["type"].rsplit(".", 1)[-1] in DEFERRALS
    ):
        return {"outcome": str(Outcome.DEFERRED)}
    evidence = _evidence(span, below, exception)
    failure: dict[str, Any] = {}
    given = span.get("toolcall.failure_class")
    if isinstance(given, str) and given in set(FailureClass):
        failure["class"] = given
    elif span.get("pydantic_ai.tool.failure_stage") == "validation" or (
        isinstance(result, str) and _ARGUMENTS.search(result) and result.lower().startswith("error")
    ):
        failure["class"] = str(FailureClass.INVALID_ARGS)
    swallowed = isinstance(result, Mapping) and str(result.get("status", "")).lower() == "error"
    if swallowed and isinstance(result.get("content"), str):
        failure["message"] = result["content"]
    if span.failed and not failure and exception is None:
        failure["message"] = span.status_message or str(span.get("error.type") or "the span has status error")
    ended = {"evidence": evidence} if evidence else {}
    return {**ended, "failure": failure} if failure else ended


def _evidence(span: Span, below: Iterable[Span], exception: dict[str, Any] | None) -> dict[str, Any]:
    status = span.get("http.response.status_code", "http.status_code", "rpc.response.status_code")
    if status is None:
        spoken = [child.get("http.response.status_code", "http.status_code") for child in below]
        status = next((one for one in reversed(spoken) if one is not None), None)
    evidence: dict[str, Any] = {}
    if isinstance(status, int) and not isinstance(status, bool) and 100 <= status <= 599:
        evidence["http_status"] = status
    grpc = span.get("rpc.grpc.status_code")
    if isinstance(grpc, int | str):
        evidence["grpc_status"] = grpc
    if span.get("error.type") == "tool_error":
        evidence["body"] = {"isError": True, "content": [{"type": "text", "text": span.status_message}]}
    code = span.get("rpc.jsonrpc.error_code", "jsonrpc.error.code") or (
        status if isinstance(status, int) and status < 0 else None
    )
    if code is None and re.fullmatch(r"-32\d{3}", str(span.get("error.type") or "")):
        code = int(str(span.get("error.type")))
    if isinstance(code, int):
        evidence["body"] = {"jsonrpc": "2.0", "error": {"code": code, "message": span.status_message}}
    if exception:
        evidence["exception"] = exception
    return evidence


def _exception(span: Span) -> dict[str, Any] | None:
    for event in reversed(span.events):
        if event.name == "exception":
            return _seen(event.attributes.get("exception.type"), event.attributes.get("exception.message"))
    kind = span.get("error.type")
    if (
        span.failed
        and isinstance(kind, str)
        and re.search(r"(?:Error|Exception|Timeout|Interrupt)\w*$", kind)
    ):
        return _seen(kind, span.status_message)
    return None


def _seen(kind: Any, message: Any) -> dict[str, Any]:
    module, _, name = str(kind or "Exception").rpartition(".")
    seen = {
        "type": name[:400] or "Exception",
        "module": module[:400] or None,
        "message": None if message is None else str(message),
    }
    return {key: value for key, value in seen.items() if value is not None}


def _attempts(tries: Sequence[Span], below: Sequence[Span]) -> list[dict[str, Any]]:
    """Give the attempts: spans that say so, else requests beneath where there are several."""
    spoken = [one for one in below if one.get("http.request.method", "http.method") is not None]
    shown = list(tries) if len(tries) > 1 else spoken if len(spoken) > 1 else []
    shown = sorted(shown, key=lambda one: one.start)[:MOST_ATTEMPTS]
    attempts, ended = [], None
    for n, one in enumerate(shown, start=1):
        attempt: dict[str, Any] = {
            "n": n,
            "started_at": _time(one.start).isoformat(),
            "duration_ms": (one.end - one.start) / 1e6,
            "wait_ms": max(0, one.start - ended) / 1e6 if ended is not None else 0,
        }
        status = one.get("http.response.status_code", "http.status_code")
        if isinstance(status, int) and 0 <= status <= 999:
            attempt["http_status"] = status
        if n < len(shown) and (one.failed or (isinstance(status, int) and status >= 400)):
            attempt["class"] = _class_of_attempt(status)
        attempts.append(attempt)
        ended = one.end
    return attempts


def _class_of_attempt(status: Any) -> str:
    """An attempt after which another was made was worth trying again, except where its status says otherwise."""
    if isinstance(status, int) and status in {400, 422}:
        return str(FailureClass.INVALID_ARGS)
    if isinstance(status, int) and 401 <= status < 500 and status not in {408, 425, 429}:
        return str(FailureClass.HARD)
    return str(FailureClass.TRANSIENT)


def _context(span: Span, named: Mapping[tuple[str, str], str]) -> Context:
    return Context(
        trace_id=span.trace_id,
        span_id=span.span_id,
        parent_id=span.parent_id,
        session_id=_text(span.get("gen_ai.conversation.id", "session.id"), 128) or "",
        agent=_text(span.attributes.get("gen_ai.agent.name") or span.attributes.get("agent.name"), 128) or "",
        tool=named.get((span.trace_id, span.span_id), ""),
        is_mcp=is_mcp(span),
        call_id=_call_id(span),
    )


def _attributes(span: Span, producer: Producer) -> dict[str, Any]:
    told = {"source": producer.name, "scope": span.scope, "service": span.resource.get("service.name")}
    call_id = next((span.attributes[name] for name in producer.call_id if name in span.attributes), None)
    told |= {"tool_call_id": call_id, "agent": span.get("gen_ai.agent.name", "agent.name")}
    return {name: str(value)[:200] for name, value in told.items() if value}


def _side_effect(span: Span, name: str) -> SideEffect:
    """Say what sending it again would do, where the span does not: a name that asks for something only reads."""
    given = span.get("toolcall.side_effect")
    if isinstance(given, str) and given in set(SideEffect):
        return SideEffect(given)
    return SideEffect.READ if _READS.search(name) else SideEffect.WRITE


def _time(nanoseconds: int) -> datetime:
    try:
        return min(_EPOCH + timedelta(microseconds=nanoseconds // 1_000), _LATEST)
    except OverflowError:
        return _LATEST


def _text(value: Any, limit: int) -> str | None:
    return str(value)[:limit] if isinstance(value, str | int) and str(value) else None
