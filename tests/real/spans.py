"""Tracing as an agent sets it up: OpenTelemetry's SDK and its OTLP exporter, protobuf and gzip, pointed at a console."""

import base64
import json
from typing import Any

from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import (
    BatchSpanProcessor,
    SimpleSpanProcessor,
    SpanExporter,
    SpanExportResult,
)


class Kept(SpanExporter):
    """Keeps what is exported."""

    def __init__(self) -> None:
        self.spans: list[Any] = []

    def export(self, spans: Any) -> SpanExportResult:
        self.spans.extend(spans)
        return SpanExportResult.SUCCESS

    def traces(self) -> list[str]:
        """Give the trace ids in the order in which the traces began."""
        began = {format(one.context.trace_id, "032x"): one.start_time for one in reversed(self.spans)}
        for one in self.spans:
            trace = format(one.context.trace_id, "032x")
            began[trace] = min(began[trace], one.start_time)
        return sorted(began, key=lambda each: began[each])

    def as_json(self) -> dict[str, Any]:
        """Give the spans as OTLP writes them in JSON, whose ids are hexadecimal."""
        export: dict[str, Any] = MessageToDict(encode_spans(self.spans), use_integers_for_enums=True)
        for group in export["resourceSpans"]:
            for scoped in group["scopeSpans"]:
                for one in scoped["spans"]:
                    for name in {"traceId", "spanId", "parentSpanId"} & set(one):
                        one[name] = base64.b64decode(one[name]).hex()
        return json.loads(json.dumps(export))  # type: ignore[no-any-return]


def tracing(*exporters: SpanExporter, one_by_one: bool = False) -> TracerProvider:
    """Give a provider that writes to these; `one_by_one`: each span in a request of its own, as soon as it ends."""
    provider = TracerProvider(
        resource=Resource.create({"service.name": "trip-booker", "service.version": "3"})
    )
    for exporter in exporters:
        processor = SimpleSpanProcessor(exporter) if one_by_one else BatchSpanProcessor(exporter)
        provider.add_span_processor(processor)
    return provider


def exporter(url: str, key: str) -> OTLPSpanExporter:
    """Give the exporter that `docs/otlp.md` tells of."""
    return OTLPSpanExporter(
        endpoint=f"{url}/v1/traces",
        headers={"authorization": f"Bearer {key}"},
        compression=Compression.Gzip,
        timeout=20,
    )
