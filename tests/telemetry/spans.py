"""Spans as exporters send them, in OTLP's JSON and in its protobuf."""

import base64
import json

from google.protobuf.json_format import ParseDict  # type: ignore[import-untyped]
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
START = 1_796_040_028_000_000_000  # 2026-11-30 12:00:28 UTC
SECOND = 1_000_000_000


def value(plain):
    match plain:
        case bool():
            return {"boolValue": plain}
        case int():
            return {"intValue": str(plain)}
        case float():
            return {"doubleValue": plain}
        case list():
            return {"arrayValue": {"values": [value(item) for item in plain]}}
        case dict():
            return {"kvlistValue": {"values": attributes(plain)}}
        case _:
            return {"stringValue": plain}


def attributes(plain):
    return [{"key": key, "value": value(inner)} for key, inner in plain.items()]


def span(
    number=1,
    *,
    name="execute_tool flight.search",
    parent=0,
    seconds=1.0,
    start=0.0,
    error=None,
    events=(),
    **attrs,
):
    """One span; attributes are given with `__` for a dot."""
    said = {key.replace("__", "."): inner for key, inner in attrs.items()}
    made = {
        "traceId": TRACE,
        "spanId": f"{number:016x}",
        "name": name,
        "kind": 1,
        "startTimeUnixNano": str(int(START + start * SECOND)),
        "endTimeUnixNano": str(int(START + (start + seconds) * SECOND)),
        "attributes": attributes(said),
        "events": [
            {"name": "exception", "timeUnixNano": str(START), "attributes": attributes(event)}
            for event in events
        ],
    }
    if parent:
        made["parentSpanId"] = f"{parent:016x}"
    if error is not None:
        made["status"] = {"code": 2, "message": error}
    return made


def tool(number=1, tool="flight.search", **more):
    """A GenAI execute_tool span."""
    return span(number, gen_ai__operation__name="execute_tool", gen_ai__tool__name=tool, **more)


def exported(*spans, **resource):
    """An export of these spans."""
    said = {
        "service.name": "trip-booker",
        **{key.replace("__", "."): inner for key, inner in resource.items()},
    }
    scoped = {"scope": {"name": "tests"}, "spans": list(spans)}
    return {"resourceSpans": [{"resource": {"attributes": attributes(said)}, "scopeSpans": [scoped]}]}


def as_json(export):
    return json.dumps(export).encode()


def as_protobuf(export):
    """The same as protobuf, whose own JSON has ids in base64 where OTLP has hexadecimal."""

    copied = json.loads(json.dumps(export))
    for group in copied["resourceSpans"]:
        for scoped in group["scopeSpans"]:
            for one in scoped["spans"]:
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in one:
                        one[name] = base64.b64encode(bytes.fromhex(one[name])).decode()
    return ParseDict(copied, ExportTraceServiceRequest()).SerializeToString()
