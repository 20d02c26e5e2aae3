"""Tool spans of one export translated to reported calls; all other spans give the context of calls."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from telemetry.domain.otlp.attempts import attempts
from telemetry.domain.otlp.endings import ending, failed_transport
from telemetry.domain.otlp.neighbours import Around, around
from telemetry.domain.otlp.producers import is_mcp, json_of
from telemetry.domain.otlp.reading import Place, Reading, readings
from telemetry.domain.otlp.spans import Span, written_time
from telemetry.vocabulary import SideEffect

MOST_REV = 2**31 - 1
LONGEST_ID = 128
_READS = re.compile(
    r"(?:^|[._/-])(?:get|list|search|find|query|read|fetch|lookup|look_up|check|describe|show|retrieve|count|view|"
    r"preview|validate|calculate|convert|weather|status)(?:$|[._/A-Z-])",
    re.IGNORECASE,
)


class Context(NamedTuple):
    """What a span says about the calls beneath it: conversation and agent, and where it hangs."""

    trace_id: str
    span_id: str
    parent_id: str
    session_id: str
    agent: str
    tool: str  # where it is a tool span: its tool
    is_mcp: bool
    call_id: str
    failed: dict[str, Any] | None  # of a message that failed: what it says of it


_EFFECTS = frozenset(SideEffect)
_SESSION = ("gen_ai.conversation.id", "session.id")


@dataclass(frozen=True, slots=True)
class Translated:
    """The calls of an export as JSON, and the context of all its spans."""

    calls: list[dict[str, Any]]
    contexts: list[Context]


def translate(spans: Sequence[Span], *, tool_above: Mapping[Place, str] | None = None) -> Translated:
    """Translate spans to calls. An MCP span under a tool span of the same tool is its transport and no call.

    `tool_above` gives the tools of spans that came in earlier exports, by (trace id, span id).
    """
    found = readings(spans)
    above = {**(tool_above or {}), **{read.place: read.tool for read in found}}
    near = around(spans, found)
    groups: dict[tuple[str, ...], list[Reading]] = defaultdict(list)
    for read in found:
        if not (read.is_mcp and above.get(read.above) == read.tool):
            groups[_operation(read)].append(read)
    calls = [_call(sorted(tries, key=_order), near) for tries in groups.values()]
    contexts = [_context(span, near.tools.get((span.trace_id, span.span_id))) for span in spans]
    return Translated(calls, contexts)


def _order(read: Reading) -> tuple[int, str]:
    return read.span.start, read.span.span_id


def _operation(read: Reading) -> tuple[str, ...]:
    """Name the operation: its attempts say so, or hang at the same place and answer the same call of the model."""
    if operation := _said_operation(read.span):
        return (read.span.trace_id, operation)
    if read.tool_call_id:
        return (*read.above, read.tool, read.tool_call_id)
    return read.place


def _call_id(span: Span) -> str:
    return f"{span.trace_id}:{_said_operation(span) or span.span_id}"[:LONGEST_ID]


def _said_operation(span: Span) -> str:
    """Give the operation that a span names itself; of the resource it would be one for all spans."""
    operation = span.attributes.get("toolcall.operation.id")
    return operation if isinstance(operation, str) else ""


def _call(tries: list[Reading], near: Around) -> dict[str, Any]:
    first, last = tries[0].span, tries[-1].span
    read = tries[-1]
    below = [child for each in tries for child in near.below(each)]
    call: dict[str, Any] = {
        "call_id": _call_id(first),
        # a later end replaces an earlier one
        "rev": min(max(0, last.end - first.start) // 1_000_000, MOST_REV),
        "trace_id": last.trace_id,
        "span_id": last.span_id,
        "tool": read.tool,
        "side_effect": _side_effect(last, read.tool),
        "started_at": written_time(first.start),
        "duration_ms": (last.end - first.start) / 1e6,
        "attributes": _attributes(read),
    }
    may_lack = (
        ("parent_span_id", last.parent_id),
        ("session_id", _text(last.get(*_SESSION, "langfuse.session.id"), 128)),
        ("instance", _text(last.get("service.instance.id"), 128)),
        ("agent_version", _text(last.get("service.version"), 128)),
        ("attempts", attempts([each.span for each in tries], below)),
    )
    call |= {name: value for name, value in may_lack if value}
    if read.has_args:
        call["args"] = read.args
    if read.has_result and not last.failed:
        call["result"] = read.result
    call |= ending(read, below, near.failed_message(read), waits=near.waits(read))
    return call


def _context(span: Span, read: Reading | None) -> Context:
    return Context(
        span.trace_id,
        span.span_id,
        span.parent_id,
        _text(span.get(*_SESSION), 128) or "",
        _agent(span) or "",
        read.tool if read is not None else "",
        mcp := is_mcp(span),
        _call_id(span),
        failed_transport(span) if mcp and span.failed else None,
    )


def _agent(span: Span) -> str | None:
    """Name the agent as the span does; LangChain's has it among its metadata."""
    for name in ("gen_ai.agent.name", "agent.name", "ai.telemetry.functionId"):
        if name in span.attributes and (said := _text(span.attributes[name], 128)):
            return said
    if "metadata" not in span.attributes:
        return None
    metadata = json_of(span.attributes["metadata"])
    return _text(metadata.get("lc_agent_name"), 128) if isinstance(metadata, Mapping) else None


def _attributes(read: Reading) -> dict[str, Any]:
    span = read.span
    told = (
        ("source", read.producer.name),
        ("scope", span.scope),
        ("service", span.resource.get("service.name")),
        ("tool_call_id", read.tool_call_id),
        ("agent", _agent(span) or span.get("gen_ai.agent.name", "agent.name")),
    )
    return {name: str(value)[:200] for name, value in told if value}


def _side_effect(span: Span, name: str) -> str:
    """Say what sending it again would do, where the span does not: a name that asks for something only reads."""
    given = span.get("toolcall.side_effect")
    if isinstance(given, str) and given in _EFFECTS:
        return given
    return _effect_of(name)


@lru_cache(maxsize=4_096)
def _effect_of(name: str) -> str:
    return str(SideEffect.READ if _READS.search(name) else SideEffect.WRITE)


def _text(value: Any, limit: int) -> str | None:
    if value is None or not isinstance(value, str | int):
        return None
    return str(value)[:limit] or None
