"""How each producer of spans says that a span is a tool call, and where it puts name, arguments, result and failure.

Sources are named in the reference: OpenTelemetry GenAI and MCP conventions, OpenInference, OpenLLMetry (Traceloop),
Vercel AI SDK, pydantic-ai, Sentry. The first row whose mark is on a span reads it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from telemetry.domain.otlp.spans import Span

WITHHELD = frozenset({"__REDACTED__", "<redacted>", "[REDACTED]"})


@dataclass(frozen=True, slots=True)
class Producer:
    """One way to write a tool span: how to know it, and the attributes that hold its parts, best first."""

    name: str
    marks: Callable[[Span], bool]
    tool: tuple[str, ...]
    call_id: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    result: tuple[str, ...] = ()
    prefix: tuple[str, ...] = ()  # what a span's name begins with before the tool's name


def _is(attribute: str, value: str) -> Callable[[Span], bool]:
    return lambda span: attribute in span.attributes and str(span.attributes[attribute]).lower() == value


def _has(*attributes: str) -> Callable[[Span], bool]:
    return lambda span: any(name in span.attributes for name in attributes)


def _named(*names: str) -> Callable[[Span], bool]:
    return lambda span: span.name in names


_GENAI: Any = {
    "call_id": ("gen_ai.tool.call.id", "tool.id", "tool_call.id"),
    "args": ("gen_ai.tool.call.arguments", "gen_ai.tool.input", "tool_arguments", "input.value"),
    "result": ("gen_ai.tool.call.result", "gen_ai.tool.output", "tool_response", "output.value"),
}
PRODUCERS = (
    Producer(
        "openinference",
        _is("openinference.span.kind", "tool"),
        tool=("tool.name", "gen_ai.tool.name", "tool_call.function.name"),
        call_id=("tool_call.id", "tool.id", "gen_ai.tool.call.id"),
        args=("input.value", "tool_call.function.arguments", "tool.parameters", "gen_ai.tool.call.arguments"),
        result=("output.value", "gen_ai.tool.call.result"),
    ),
    Producer(
        "genai",
        _is("gen_ai.operation.name", "execute_tool"),
        tool=("gen_ai.tool.name",),
        prefix=("execute_tool ",),
        **_GENAI,
    ),
    Producer(
        "mcp",
        _is("mcp.method.name", "tools/call"),
        tool=("gen_ai.tool.name", "mcp.tool.name"),
        prefix=(
            "tools/call ",
            "MCP send tools/call ",
        ),  # a client of the Python SDK names the tool nowhere else
        **_GENAI,
    ),
    Producer(
        "traceloop",
        _is("traceloop.span.kind", "tool"),
        tool=("traceloop.entity.name", "gen_ai.tool.name"),
        call_id=("gen_ai.tool.call.id",),
        args=("traceloop.entity.input",),
        result=("traceloop.entity.output",),
    ),
    Producer(
        "vercel",
        _has("ai.toolCall.name", "ai.toolCall.id"),
        tool=("ai.toolCall.name",),
        call_id=("ai.toolCall.id",),
        args=("ai.toolCall.args", "ai.toolCall.input"),
        result=("ai.toolCall.result", "ai.toolCall.output"),
    ),
    Producer(
        "genai",
        _has("gen_ai.tool.call.id", "gen_ai.tool.name"),
        tool=("gen_ai.tool.name",),
        prefix=("execute_tool ",),
        **_GENAI,
    ),
    Producer(
        "pydantic_ai", _named("running tool"), tool=("gen_ai.tool.name", "tool_name", "logfire.msg"), **_GENAI
    ),
)


def producer_of(span: Span) -> Producer | None:
    """Say who wrote a tool span, or None where it is none."""
    for one in PRODUCERS:
        if one.marks(span):
            return one
    return None


def is_mcp(span: Span) -> bool:
    """Say whether a span is a message of MCP, which may be the transport of a call."""
    return "mcp.method.name" in span.attributes


def tool_name(span: Span, producer: Producer) -> str:
    """Give the tool's name, from the span's own name where no attribute has it."""
    for name in producer.tool:
        value = span.attributes.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()[:200]
    prefix = next((each for each in producer.prefix if span.name.startswith(each)), "")
    bare = span.name.removeprefix(prefix).removesuffix(".tool").strip()
    return (bare or "unnamed tool")[:200]


def part(span: Span, names: tuple[str, ...]) -> tuple[bool, Any]:
    """Give (present, value) of arguments or result. Text that holds JSON is read; what was withheld is absent."""
    for name in names:
        if name in span.attributes:
            value = span.attributes[name]
            if isinstance(value, str) and value in WITHHELD:
                return False, None
            return True, unwrapped(json_of(value))
    return False, None


def unwrapped(value: Any) -> Any:
    """Take LangChain's and Traceloop's envelopes off arguments and results."""
    if not isinstance(value, Mapping):
        return value
    keys = set(value)
    if keys and keys <= {"args", "kwargs"}:
        return value["kwargs"] if value.get("kwargs") else _one(value.get("args"))
    if "inputs" in keys and keys <= {"input_str", "tags", "metadata", "inputs", "kwargs"}:
        return json_of(value["inputs"] or value.get("input_str"))
    if "output" in keys and keys <= {"output", "kwargs"}:
        return json_of(value["output"])
    return value


def _one(args: Any) -> Any:
    return args[0] if isinstance(args, list) and len(args) == 1 else args


def json_of(value: Any) -> Any:
    """Give the JSON that a text holds, or the value as it is."""
    if isinstance(value, str) and value[:1] in {"{", "[", '"'}:
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
    return value
