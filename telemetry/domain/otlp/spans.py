"""Spans as plain values, read from OTLP's protobuf and from its JSON."""

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from telemetry.domain.otlp.wire import Undecodable

ERROR = 2  # the status code of a failed span
MAX_DEPTH = 24
NOTHING: Mapping[str, Any] = MappingProxyType({})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, tzinfo=UTC)


class Event(NamedTuple):
    """Something that happened within a span."""

    name: str
    attributes: Mapping[str, Any]


class Span(NamedTuple):
    """One span. Ids are lower-case hexadecimal, times nanoseconds since 1970. A tuple, because there are many of them."""

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    start: int
    end: int
    failed: bool = False
    status_message: str = ""
    attributes: Mapping[str, Any] = NOTHING
    events: Sequence[Event] = ()
    resource: Mapping[str, Any] = NOTHING
    scope: str = ""

    def get(self, *names: str) -> Any:
        """Give the first of these attributes that is there, of the span before the resource."""
        for said in (self.attributes, self.resource):
            for name in names:
                if name in said:
                    return said[name]
        return None


@dataclass(frozen=True, slots=True)
class BadSpan:
    """A span that cannot be taken, and why."""

    reason: str


def time_of(nanoseconds: int) -> datetime:
    """Give the moment of a span's time; what lies beyond the calendar ends with it."""
    try:
        return min(_EPOCH + timedelta(microseconds=nanoseconds // 1_000), _LATEST)
    except OverflowError:
        return _LATEST


def written_time(nanoseconds: int) -> str:
    """Give the moment of a span's time as ISO 8601. Spans of an export lie near each other: their second is written once."""
    second, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{_second(second)}.{rest // 1_000:06d}+00:00" if rest >= 1_000 else f"{_second(second)}+00:00"


@lru_cache(maxsize=1_024)
def _second(second: int) -> str:
    return time_of(second * 1_000_000_000).isoformat(timespec="seconds").removesuffix("+00:00")


def from_protobuf(body: bytes) -> list[Span | BadSpan]:
    """Read a request. Raises Undecodable where it is none."""
    request = ExportTraceServiceRequest()
    try:
        request.ParseFromString(body)
    except DecodeError as exc:
        raise Undecodable(f"the body is no ExportTraceServiceRequest: {exc}") from exc
    found: list[Span | BadSpan] = []
    for group in request.resource_spans:
        resource = _pairs(group.resource.attributes)
        for scoped in group.scope_spans:
            found.extend(_of_protobuf(span, resource, scoped.scope.name) for span in scoped.spans)
    return found


def _of_protobuf(span: Any, resource: Mapping[str, Any], scope: str) -> Span | BadSpan:
    trace_id, span_id = span.trace_id, span.span_id
    if wrong := _wrong_ids(trace_id, span_id):
        return BadSpan(wrong)
    status, events = span.status, span.events
    return Span(
        trace_id.hex(),
        span_id.hex(),
        span.parent_span_id.hex(),
        span.name,
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        status.code == ERROR,
        status.message,
        _pairs(span.attributes),
        tuple([Event(event.name, _pairs(event.attributes)) for event in events]) if events else (),
        resource,
        scope,
    )


def _pairs(attributes: Any) -> dict[str, Any]:
    return {pair.key: _any(pair.value, 0) for pair in attributes}


def _any(value: Any, depth: int) -> Any:
    kind = value.WhichOneof("value")
    if depth > MAX_DEPTH or kind is None:
        return None
    if kind == "string_value":  # nearly all are
        return value.string_value
    inner = getattr(value, kind)
    match kind:
        case "array_value":
            return [_any(item, depth + 1) for item in inner.values]
        case "kvlist_value":
            return {pair.key: _any(pair.value, depth + 1) for pair in inner.values}
        case "bytes_value":
            return base64.b64encode(inner).decode("ascii")
        case "bool_value" | "int_value" | "double_value":
            return inner
        case _:
            return None


def from_json(value: Any) -> list[Span | BadSpan]:
    """Read a parsed request. Raises Undecodable where it is none; unknown fields are ignored."""
    if not isinstance(value, Mapping):
        raise Undecodable("the body is no JSON object")
    found: list[Span | BadSpan] = []
    for group in _listed(value, "resourceSpans"):
        resource = _attributes(group.get("resource"))
        for scoped in _listed(group, "scopeSpans"):
            scope = str(_mapping(scoped.get("scope")).get("name") or "")
            found.extend(_of_json(span, resource, scope) for span in _listed(scoped, "spans"))
    return found


def _listed(value: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    items = value.get(name)
    if items is None:
        return
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise Undecodable(f"{name} is no list of objects")
    yield from items


def _of_json(span: Mapping[str, Any], resource: Mapping[str, Any], scope: str) -> Span | BadSpan:
    trace_id, span_id = str(span.get("traceId", "")).lower(), str(span.get("spanId", "")).lower()
    if wrong := _wrong_ids(_bytes(trace_id), _bytes(span_id)):
        return BadSpan(wrong)
    try:
        start, end = _integer(span.get("startTimeUnixNano")), _integer(span.get("endTimeUnixNano"))
    except ValueError:
        return BadSpan("a time is no whole number")
    status = _mapping(span.get("status"))
    events = tuple(
        Event(str(event.get("name", "")), _attributes(event))
        for event in span.get("events") or ()
        if isinstance(event, Mapping)
    )
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=str(span.get("parentSpanId") or "").lower(),
        name=str(span.get("name", "")),
        start=start,
        end=end,
        failed=status.get("code") == ERROR,
        status_message=str(status.get("message") or ""),
        attributes=_attributes(span),
        events=events,
        resource=resource,
        scope=scope,
    )


def _attributes(holder: Any) -> dict[str, Any]:
    pairs = _mapping(holder).get("attributes")
    if not isinstance(pairs, list):
        return {}
    return {
        str(pair["key"]): _any_json(pair.get("value"), 0)
        for pair in pairs
        if isinstance(pair, Mapping) and "key" in pair
    }


def _any_json(value: Any, depth: int) -> Any:
    if not isinstance(value, Mapping) or depth > MAX_DEPTH:
        return None
    for name, inner in value.items():
        match name:
            case "stringValue" | "boolValue" | "doubleValue" | "bytesValue":
                return inner
            case "intValue":
                return _integer_or_text(inner)
            case "arrayValue":
                return [_any_json(item, depth + 1) for item in _mapping(inner).get("values") or ()]
            case "kvlistValue":
                pairs = _mapping(inner).get("values") or ()
                return {
                    str(pair.get("key")): _any_json(pair.get("value"), depth + 1)
                    for pair in pairs
                    if isinstance(pair, Mapping)
                }
            case _:
                continue
    return None


def _integer(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("no whole number")  # noqa: TRY004  # text that is no number raises the same
    return int(value)


def _integer_or_text(value: Any) -> Any:
    try:
        return _integer(value)
    except ValueError:
        return value


def _bytes(text: str) -> bytes:
    try:
        return binascii.unhexlify(text)
    except (binascii.Error, ValueError):
        return b""


def _wrong_ids(trace_id: bytes, span_id: bytes) -> str:
    if len(trace_id) != 16 or not any(trace_id):
        return "the trace id is not 16 bytes that are not all zero"
    if len(span_id) != 8 or not any(span_id):
        return "the span id is not 8 bytes that are not all zero"
    return ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
