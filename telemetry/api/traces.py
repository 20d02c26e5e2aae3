"""OpenTelemetry's spans over HTTP."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.timezone import now
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, Field
from rest_framework.request import Request
from rest_framework.views import APIView

from console.kit.http import STATUS, body_of, headers_of
from console.kit.refusal import Refused
from telemetry.api.doors import Agents, agent
from telemetry.domain.otlp import Undecodable, export_answer, refusal
from telemetry.domain.otlp.wire import JSON, PROTOBUF
from telemetry.operations.known import what_is_known
from telemetry.operations.receiving import receive
from telemetry.operations.traces import export

MEDIA = frozenset({PROTOBUF, JSON})
BAD_REQUEST = 400
DESCRIPTION = """\
Point any OpenTelemetry exporter here, over HTTP with protobuf or JSON, packed with gzip, deflate or not at all, and with an agent's key:

    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://console.example/v1/traces
    OTEL_EXPORTER_OTLP_TRACES_HEADERS=authorization=Bearer%20sb_…
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf

Spans of tools become calls, whoever wrote them; all others give them agent and conversation. The answer comes after
the commit, in the encoding of the request. What cannot be taken is counted and explained in `partialSuccess` and is
not to be sent again; a span sent again is a duplicate, one that ended later corrects the earlier one.
"""


class PartialSuccess(BaseModel):
    """What was not taken, and why."""

    rejectedSpans: str = Field("0", description="A number, written as text as OTLP's JSON does.")  # noqa: N815  # OTLP's word
    errorMessage: str = ""  # noqa: N815  # the same


class ExportTraceServiceResponse(BaseModel):
    """OTLP's answer; empty where everything was taken."""

    partialSuccess: PartialSuccess | None = None  # noqa: N815  # OTLP's word


class Status(BaseModel):
    """A refusal, as `google.rpc.Status`."""

    code: int
    message: str


def _both(model: Any) -> dict[Any, Any]:
    """Give the answers in both encodings."""
    refused = dict.fromkeys((400, 413, 415, 429, 503), Status)
    said = {200: model, 401: Status, **refused}
    protobuf = {(status, PROTOBUF): OpenApiTypes.BINARY for status in said}
    return {**{(status, JSON): name for status, name in said.items()}, **protobuf}


class Traces(APIView):
    """The same as the ASGI function `ingest.traces_app`, for the schema and for servers that have no ASGI."""

    permission_classes = [Agents]

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:  # noqa: ARG002, FBT001, FBT002  # DRF's signature
        """Answer in the encoding of the request, whatever is accepted: so OTLP says."""
        return super().perform_content_negotiation(request, force=True)

    @extend_schema(
        operation_id="export_traces",
        tags=["OpenTelemetry"],
        summary="Export spans",
        description=DESCRIPTION,
        request={PROTOBUF: OpenApiTypes.BINARY, JSON: OpenApiTypes.OBJECT},
        responses=_both(ExportTraceServiceResponse),
    )
    def post(self, request: Request) -> HttpResponse:
        """Take an export whole."""
        media = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        spoken = media if media in MEDIA else JSON
        try:
            said = _taken(request, media)
        except Undecodable as exc:
            return HttpResponse(refusal(spoken, status=BAD_REQUEST, message=str(exc)), spoken, BAD_REQUEST)
        except Refused as no:
            status = STATUS[no.kind] if STATUS[no.kind] != 422 else BAD_REQUEST
            answer = refusal(spoken, status=status, message=no.detail)
            return HttpResponse(answer, spoken, status, headers=headers_of(no))
        return HttpResponse(said, spoken)


def _taken(request: Request, media: str) -> bytes:
    packed = body_of(request, allowed=MEDIA, limit=settings.OTLP_MAX_BODY_BYTES)
    knowledge = what_is_known()
    said = export(
        packed,
        media=media,
        agent_id=agent(request).agent_id,
        key_id=agent(request).key_id,
        at=now(),
        knowledge=knowledge,
    )
    if said.submissions:
        receive(said.submissions, knowledge=knowledge)
    return export_answer(media, rejected=said.rejected, message=said.message)
