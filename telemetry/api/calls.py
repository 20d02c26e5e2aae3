"""Calls over HTTP."""

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import body_of, only_parameters
from console.kit.refusal import Kind, Refused
from telemetry import contract
from telemetry.api.doors import Agents, People, agent, refusals
from telemetry.api.searches import QUERY, asked_in, listed
from telemetry.operations.intake import submission
from telemetry.operations.known import what_is_known
from telemetry.operations.store import store
from telemetry.queries.calls import call_of_agent
from telemetry.queries.shapes import CallDetail

CALLS = ["Calls"]


class NoSuchCall(Refused):
    """The agent asks for a call that is not its own or not here."""

    kind, code = Kind.MISSING, "NO_SUCH_CALL"


class Calls(APIView):
    """Agents report, people search. POST is the same as the ASGI function `ingest.calls_app`, for servers without it."""

    def get_permissions(self) -> list[BasePermission]:
        """Let agents write and people read."""
        return [People() if self.request.method in {"GET", "HEAD"} else Agents()]

    @extend_schema(
        operation_id="search_calls",
        tags=CALLS,
        summary="Search calls",
        parameters=QUERY,
        responses={200: contract.CallsFound, **refusals(401, 403, 422)},
    )
    def get(self, request: Request) -> Response:
        """Give a page of calls, newest first; the search is the one of the page of calls."""
        only_parameters(request, *(each.name for each in QUERY))
        return Response(listed(request, asked_in(request)).model_dump(mode="json", by_alias=True))

    @extend_schema(
        operation_id="report_calls",
        tags=CALLS,
        summary="Report tool calls",
        request=contract.ReportCalls,
        responses={
            200: contract.CallsAnswer,
            207: contract.CallsAnswer,
            **refusals(401, 413, 415, 422, 429, 503),
        },
    )
    def post(self, request: Request) -> Response:
        """Store 1 to 1,000 calls and say what became of each, after they are committed."""
        said = submission(
            body_of(request),
            agent_id=agent(request).agent_id,
            key_id=agent(request).key_id,
            at=now(),
            knowledge=what_is_known(),
        )
        (done,) = store([said])
        return Response(done.model_dump(mode="json"), status=207 if done.rejected else 200)


class Call(APIView):
    """Answers "do you have it?"."""

    permission_classes = [Agents]

    @extend_schema(
        operation_id="read_call",
        tags=CALLS,
        summary="Ask whether a call is stored",
        responses={200: contract.StoredCall, **refusals(401, 404)},
    )
    def get(self, request: Request, call_id: str) -> Response:
        """Give what is stored of one of the agent's own calls."""
        found = call_of_agent(agent_id=agent(request).agent_id, call_id=call_id)
        if found is None:
            raise NoSuchCall(f"No call {call_id[:128]!r} of this agent is stored.")
        return Response(_stored(found).model_dump(mode="json", by_alias=True))


def _stored(found: CallDetail) -> contract.StoredCall:
    row, failure = found.row, found.failure
    return contract.StoredCall(
        call_id=row.call_id,
        rev=row.rev,
        trace_id=row.trace_id,
        tool=row.tool,
        outcome=row.outcome,
        failure_class=row.failure_class,
        code=row.code or None,
        class_source=failure.source if failure else None,
        started_at=row.started_at,
        received_at=row.received_at,
        duration_ms=row.duration_ms,
        attempts=row.attempts,
        flags=list(found.flags),
    )
