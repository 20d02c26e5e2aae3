"""What one tool span says of its call, with the envelopes of frameworks taken off."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from telemetry.domain.otlp.producers import Producer, is_mcp, json_of, part, producer_of, tool_name
from telemetry.domain.otlp.spans import Span

Place = tuple[str, str]  # trace id and span id

# LangGraph's node has no span of a tool where the model made the tool up.
_NO_SUCH_TOOL = re.compile(r"^Error: \S+ is not a valid tool, try one of \[")
_LANGCHAIN = Producer("openinference", lambda _: True, tool=())


class Reading(NamedTuple):
    """One tool span. `refused` is the text of an error that the framework gave the model as if it were a result."""

    span: Span
    producer: Producer
    tool: str
    has_args: bool = False
    args: Any = None
    has_result: bool = False
    result: Any = None
    tool_call_id: str | None = None
    refused: str | None = None

    @property
    def place(self) -> Place:
        """Where the span stands."""
        return self.span.trace_id, self.span.span_id

    @property
    def above(self) -> Place:
        """Where the span above it stands."""
        return self.span.trace_id, self.span.parent_id

    @property
    def is_mcp(self) -> bool:
        """Whether it is a message of MCP."""
        return is_mcp(self.span)


def readings(spans: Iterable[Span]) -> list[Reading]:
    """Read the tool spans among these, in their order; what the span above says of a call completes it."""
    everything = list(spans)
    asked = {(span.trace_id, span.span_id): calls for span in everything if (calls := _asked(span))}
    found = [read for span in everything if (read := _read(span)) is not None]
    if not asked:
        return found
    found = [_completed(read, asked[read.above]) if read.above in asked else read for read in found]
    with_tool = {read.above for read in found}
    made_up = (_made_up(span, asked) for span in everything if (span.trace_id, span.span_id) not in with_tool)
    return [*found, *(read for read in made_up if read)]


def _read(span: Span) -> Reading | None:
    producer = producer_of(span)
    if producer is None:
        return None
    has_args, args = part(span, producer.args)
    has_result, result = part(span, producer.result)
    call_id = next((span.attributes[name] for name in producer.call_id if name in span.attributes), None)
    known = call_id if isinstance(call_id, str) else None
    read = Reading(span, producer, tool_name(span, producer), has_args, args, has_result, result, known)
    message = tool_message(result)
    return read if message is None else _answered(read, message)


def _answered(read: Reading, message: Mapping[str, Any]) -> Reading:
    content, call_id = message["content"], message.get("tool_call_id")
    failed = str(message.get("status", "")).lower() == "error"
    return read._replace(
        has_result=not failed,
        result=None if failed else json_of(content),
        refused=_words(content) if failed else None,
        tool_call_id=read.tool_call_id or (call_id if isinstance(call_id, str) else None),
    )


def tool_message(value: Any) -> Mapping[str, Any] | None:
    """Give LangChain's ToolMessage in whichever way it was written down, or None."""
    if value is None or isinstance(value, str) or not isinstance(value, Mapping):
        return None
    for inner in (value, value.get("data"), value.get("kwargs")):
        if isinstance(inner, Mapping) and "content" in inner and "tool_call_id" in inner:
            return inner
    if isinstance(value.get("content"), str) and str(value.get("status", "")).lower() == "error":
        return value
    return None


def _asked(span: Span) -> list[Mapping[str, Any]]:
    """Give the calls that a node of LangGraph was asked to make: its whole input."""
    value = json_of(span.attributes.get("input.value"))
    if not isinstance(value, list) or not value:
        return []
    fine = all(isinstance(each, Mapping) and each.get("type") == "tool_call" for each in value)
    return value if fine else []


def _completed(read: Reading, asked: list[Mapping[str, Any]]) -> Reading:
    """Take id and arguments from the node above: of a single argument the tool's own span has the bare value."""
    of_this = [
        each
        for each in asked
        if each.get("name") == read.tool and read.tool_call_id in {None, each.get("id")}
    ]
    if len(of_this) != 1:
        return read
    (one,) = of_this
    args = one.get("args")
    known = read.tool_call_id or (one["id"] if isinstance(one.get("id"), str) else None)
    if isinstance(args, Mapping) and read.has_args and not isinstance(read.args, Mapping):
        return read._replace(tool_call_id=known, args=args)
    return read._replace(tool_call_id=known)


def _made_up(span: Span, asked: Mapping[Place, list[Mapping[str, Any]]]) -> Reading | None:
    """Give the call of a tool that does not exist: the node answered it, and no tool has a span."""
    calls = asked.get((span.trace_id, span.span_id), [])
    output = json_of(span.attributes.get("output.value"))
    said = output.get("messages") if isinstance(output, Mapping) else None
    message = tool_message(said[0]) if isinstance(said, list) and len(said) == 1 else None
    if len(calls) != 1 or message is None or not _NO_SUCH_TOOL.match(_words(message["content"])):
        return None
    (call,) = calls
    return Reading(
        span=span, producer=_LANGCHAIN, tool=str(call.get("name"))[:200], has_args=True, args=call.get("args"),
        tool_call_id=str(call.get("id")), refused=_words(message["content"]),
    )  # fmt: skip


def _words(content: Any) -> str:
    return content if isinstance(content, str) else str(content)
