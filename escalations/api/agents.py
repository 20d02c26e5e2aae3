"""What agents do with their cases, by key: open, put the next revision, withdraw, read, acknowledge, report."""

from typing import Any
from uuid import UUID

from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor, only_parameters
from console.kit.refusal import FieldError
from escalations import contract, operations, queries
from escalations.api.bodies import MOST_ROWS, BadQuery, answer, number, said
from escalations.queries.wire import spelled
from escalations.vocabulary import View

CASES = ["Cases"]
WAIT = OpenApiParameter("wait", float, description="Seconds to wait for a decision, 60 at most.")
LIST = [
    OpenApiParameter("view", str, enum=[view.value for view in View]),
    OpenApiParameter("q", str, description="`tool:points.* class:hard is:unclaimed refund`"),
    OpenApiParameter("key", str, description="The case that this key opened; for an agent, its own key."),
    OpenApiParameter("after", str, description="The cursor of an earlier answer."),
    OpenApiParameter("limit", int),
]


class Cases(APIView):
    """All cases: people see everybody's, an agent its own."""

    @extend_schema(operation_id="list_cases", tags=CASES, parameters=LIST, responses=contract.Escalations)
    def get(self, request: Request) -> Response:
        """List cases, newest first."""
        only_parameters(request, *(each.name for each in LIST))
        asked = request.query_params
        found = queries.page(
            actor=actor(request),
            at=now(),
            view=_view(asked.get("view", "")),
            search=asked.get("q", ""),
            key=asked.get("key", ""),
            after=asked.get("after") or None,
            limit=number(request, "limit", default=50, least=1, most=MOST_ROWS),
        )
        return answer(found)

    @extend_schema(
        tags=CASES,
        request=contract.OpenCase,
        responses={201: contract.Escalation, 200: contract.Escalation},
    )
    def post(self, request: Request) -> Response:
        """Hand a task over to people; repeated with the same key and content it gives the same case."""
        body = said(request, contract.OpenCase)
        opened = operations.open_case(said=body, by=actor(request), at=now())
        return answer(opened.escalation, 201 if opened.created else 200)


class CasesInKind(APIView):
    """Cases from requests of other families: LangChain, LangGraph, AG-UI, OpenAI Agents, Vercel AI, pydantic-ai, MCP."""

    @extend_schema(
        tags=CASES,
        request=contract.AskInKind,
        responses={201: contract.Escalation, 200: contract.Escalation},
    )
    def post(self, request: Request, kind: str) -> Response:
        """Hand over what another family asks, in its own words."""
        body = said(request, contract.AskInKind)
        opened = operations.open_in_kind(kind=kind, said=body, by=actor(request), at=now())
        return answer(opened.escalation, 201 if opened.created else 200)


class Answer(APIView):
    """A decision in kind."""

    @extend_schema(tags=CASES, responses={200: contract.AnswerInKind, 204: None})
    def get(self, request: Request, escalation_id: UUID) -> Response:
        """Read the decision as the family that asked writes it; 204 while there is none."""
        found = queries.answer_in_kind(case_id=escalation_id, actor=actor(request), at=now())
        return answer(found) if found else Response(status=204)


class Case(APIView):
    """One case."""

    @extend_schema(tags=CASES, responses=contract.EscalationWhole)
    def get(self, request: Request, escalation_id: UUID) -> Response:
        """Read a case with its package and decision."""
        return answer(queries.one(case_id=escalation_id, actor=actor(request), at=now()))

    @extend_schema(tags=CASES, request=contract.ReviseCase, responses=contract.Escalation)
    def put(self, request: Request, escalation_id: UUID) -> Response:
        """Put the next revision of the package."""
        body = said(request, contract.ReviseCase)
        return answer(operations.revise(case_id=escalation_id, said=body, by=actor(request), at=now()))


class Cancel(APIView):
    """Withdrawing a case."""

    @extend_schema(tags=CASES, request=contract.CancelCase, responses=contract.Escalation)
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Withdraw a case that nobody has decided."""
        body = said(request, contract.CancelCase, optional=True)
        done = operations.cancel(case_id=escalation_id, reason=body.reason, by=actor(request), at=now())
        return answer(done)


class Acknowledgement(APIView):
    """The agent's word that it has a decision."""

    @extend_schema(tags=CASES, request=contract.Acknowledge, responses=contract.Acknowledged)
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Acknowledge a decision: it is not sent again. A lower fence than the stored one gets 409."""
        body = said(request, contract.Acknowledge)
        done = operations.acknowledge(
            case_id=escalation_id,
            decision_id=body.decision_id,
            args_digest=body.args_digest,
            fence=body.fence,
            by=actor(request),
            at=now(),
        )
        return answer(done)


class Outcome(APIView):
    """What became of a decision."""

    @extend_schema(tags=CASES, request=contract.ReportOutcome, responses=contract.OutcomeAccepted)
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Report what was really done, from tool results; idempotent by `report_id`."""
        body = said(request, contract.ReportOutcome)
        done = operations.report_outcome(case_id=escalation_id, said=body, by=actor(request), at=now())
        return answer(done)


def decision_answer(request: Request, escalation_id: UUID) -> Response:
    """Answer the decision about the current revision, 204 while there is none; nobody waits here."""
    revision = number(request, "revision", default=0, least=1, most=1_000_000)
    found = queries.decision_about(
        case_id=escalation_id, actor=actor(request), at=now(), revision=revision or None
    )
    body: dict[str, Any] | None = spelled(found) if found else None
    return Response(body, status=200 if body else 204)


def _view(text: str) -> View | None:
    if not text:
        return None
    try:
        return View(text)
    except ValueError:
        known = ", ".join(View)
        wrong = FieldError("ENUM", "view", f"one of: {known}", text[:40], "Leave it out for all cases.")
        raise BadQuery("There is no such view.", errors=(wrong,)) from None
