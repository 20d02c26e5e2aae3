"""From OpenTelemetry spans, whoever wrote them, to the calls that agents report."""

from telemetry.domain.otlp.calls import Context, Translated, translate
from telemetry.domain.otlp.spans import BadSpan, Span, from_json, from_protobuf
from telemetry.domain.otlp.wire import Undecodable, export_answer, refusal

__all__ = [
    "BadSpan",
    "Context",
    "Span",
    "Translated",
    "Undecodable",
    "export_answer",
    "from_json",
    "from_protobuf",
    "refusal",
    "translate",
]
