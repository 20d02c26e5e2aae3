"""Searches of calls for programs that people run: a page at a time, or everything as JSON lines."""

from collections.abc import Iterator

import orjson
from django.http import StreamingHttpResponse
from django.utils.timezone import localtime, now
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from console.kit.http import only_parameters
from console.kit.refusal import FieldError, Kind, Refused
from telemetry import contract, queries
from telemetry.api.doors import People, refusals
from telemetry.domain.search import Asked, read
from telemetry.queries import CallRow

MOST, USUAL = 500, 100
LINES = "application/x-ndjson"
_Q = OpenApiParameter(
    "q",
    str,
    description='As on the page of calls: `tool:pay* class:hard -agent:x ms:>500 since:2h "expired"`.',
)
QUERY = [
    _Q,
    OpenApiParameter("after", str, description="Where the page before has ended."),
    OpenApiParameter("limit", int, description=f"At most {MOST}; {USUAL} otherwise."),
]


class BadSearch(Refused):
    """The text of a search does not read."""

    kind, code = Kind.INVALID, "BAD_SEARCH"


class CallsExport(APIView):
    """Everything that a search finds."""

    permission_classes = [People]

    @extend_schema(
        operation_id="export_calls",
        tags=["Calls"],
        summary="Export calls as JSON lines",
        parameters=[_Q],
        responses={
            (200, LINES): OpenApiResponse(OpenApiTypes.STR, "One JSON object a line, newest first."),
            **refusals(401, 403, 422),
        },
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Give every call of a search in full, as it was reported and as it was judged."""
        only_parameters(request, "q")
        answer = StreamingHttpResponse(_lines(asked_in(request)), content_type=LINES)
        answer["Content-Disposition"] = 'attachment; filename="calls.jsonl"'
        return answer


def asked_in(request: Request) -> Asked:
    """Read the search of a request, or refuse it by its wrong parts."""
    reading = read(request.query_params.get("q", ""), at=localtime(now()))
    if reading.mistakes:
        wrong = [FieldError(str(one.kind).upper(), "q", one.sentence, one.part) for one in reading.mistakes]
        raise BadSearch("This search does not read.", errors=tuple(wrong))
    return reading.asked


def listed(request: Request, asked: Asked) -> contract.CallsFound:
    """Give the page of a search that a request asks for."""
    given = request.query_params.get("limit", "")
    limit = min(max(int(given), 1), MOST) if given.isdecimal() and len(given) < 9 else USUAL
    page = queries.search(asked, after=request.query_params.get("after") or None, limit=limit)
    return contract.CallsFound(
        calls=[_found(row) for row in page.rows], after=page.after, looked_back_to=page.looked_back_to
    )


def _found(row: CallRow) -> contract.FoundCall:
    return contract.FoundCall(
        call_id=row.call_id,
        rev=row.rev,
        trace_id=row.trace_id,
        tool=row.tool,
        outcome=row.outcome,
        failure_class=row.failure_class,
        code=row.code or None,
        started_at=row.started_at,
        received_at=row.received_at,
        duration_ms=row.duration_ms,
        attempts=row.attempts,
        agent=row.agent,
        recovered_by=row.recovered_by,
        message=row.message,
    )


def _lines(asked: Asked) -> Iterator[bytes]:
    """Write calls as lines, a chunk of them at a time, so that a long answer costs few hops."""
    chunk: list[bytes] = []
    for call in queries.every(asked):
        chunk.append(orjson.dumps(call, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z))
        if len(chunk) == MOST:
            yield b"".join(chunk)
            chunk = []
    yield b"".join(chunk)
