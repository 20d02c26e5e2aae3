"""What an OTLP exporter is answered, in the encoding it spoke."""

import orjson
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

PROTOBUF, JSON = "application/x-protobuf", "application/json"
LONGEST_MESSAGE = 4_000
# google.rpc.Code, by HTTP status
_CODES = {400: 3, 401: 16, 403: 7, 404: 5, 405: 12, 413: 3, 415: 3, 422: 3, 429: 8, 503: 14}


class Undecodable(ValueError):
    """The body is no trace export at all."""


def export_answer(media: str, *, rejected: int, message: str) -> bytes:
    """Give the body of a 200: empty where all is well, `partialSuccess` where spans were rejected or odd."""
    message = message[:LONGEST_MESSAGE]
    if media == JSON:
        partial = {"rejectedSpans": str(rejected), "errorMessage": message} if rejected or message else None
        return orjson.dumps({"partialSuccess": partial} if partial else {})
    answer = ExportTraceServiceResponse()
    if rejected or message:
        answer.partial_success.rejected_spans = rejected
        answer.partial_success.error_message = message
    written: bytes = answer.SerializeToString()
    return written


def refusal(media: str, *, status: int, message: str) -> bytes:
    """Give the body of a refusal: google.rpc.Status, written here because it is two fields."""
    code, text = _CODES.get(status, 2), message[:LONGEST_MESSAGE]
    if media == JSON:
        return orjson.dumps({"code": code, "message": text})
    raw = text.encode()
    return b"\x08" + _varint(code) + b"\x12" + _varint(len(raw)) + raw


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
