"""What people do with cases, by session or personal token: the same verbs as on the pages."""

from uuid import UUID

from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor
from escalations import contract, operations
from escalations.api.agents import CASES, WAIT, decision_answer
from escalations.api.bodies import answer, insist, said
from escalations.domain.permissions import why_not
from escalations.queries.wire import spelled
from escalations.vocabulary import Verb

REVISION = OpenApiParameter("revision", int, description="An earlier revision; the current one otherwise.")


class Claim(APIView):
    """Having a case."""

    @extend_schema(tags=CASES, request=contract.ClaimCase, responses={201: contract.Claimed})
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Claim a case, or renew one's claim; `take_over` takes another's live claim."""
        body = said(request, contract.ClaimCase, optional=True)
        done = operations.claim(case_id=escalation_id, by=actor(request), at=now(), take_over=body.take_over)
        return answer(done, 201)

    @extend_schema(tags=CASES, responses=contract.Escalation)
    def delete(self, request: Request, escalation_id: UUID) -> Response:
        """Give a case back."""
        return answer(operations.release(case_id=escalation_id, by=actor(request), at=now()))


class Assignee(APIView):
    """Whose list a case is on."""

    @extend_schema(tags=CASES, request=contract.AssignCase, responses=contract.Escalation)
    def put(self, request: Request, escalation_id: UUID) -> Response:
        """Put a case on an operator's list, or take it off."""
        body = said(request, contract.AssignCase)
        done = operations.assign(case_id=escalation_id, to=body.person or "", by=actor(request), at=now())
        return answer(done)


class Snooze(APIView):
    """Rest for a case."""

    @extend_schema(tags=CASES, request=contract.SnoozeCase, responses=contract.Escalation)
    def put(self, request: Request, escalation_id: UUID) -> Response:
        """Let a case rest until a time before its deadline, or wake it."""
        body = said(request, contract.SnoozeCase)
        done = operations.snooze(case_id=escalation_id, until=body.until, by=actor(request), at=now())
        return answer(done)


class Bulk(APIView):
    """Many cases at once."""

    @extend_schema(tags=CASES, request=contract.Bulk, responses=contract.BulkAnswer)
    def post(self, request: Request) -> Response:
        """Do one thing to many cases, each in a transaction of its own and with an answer of its own."""
        insist(why_not(actor(request), Verb.DECIDE, None))
        body = said(request, contract.Bulk)
        return answer(operations.bulk(said=body, by=actor(request), at=now()))


class Decision(APIView):
    """The decision about a case: people make it, its agent reads it."""

    @extend_schema(tags=CASES, parameters=[WAIT, REVISION], responses={200: contract.Decision, 204: None})
    def get(self, request: Request, escalation_id: UUID) -> Response:
        """Read the decision, waiting up to `wait` seconds for it; 204 says that there is none yet."""
        return decision_answer(request, escalation_id)

    @extend_schema(
        tags=CASES,
        request=contract.Decide,
        responses={201: contract.Decision, 200: contract.Decision, 202: contract.VoteKept},
    )
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Decide. The same key again gives the stored decision; another's decision or revision gets 409.

        Where more than one person has to agree, 202 says that the vote is kept and not decided yet.
        """
        body = said(request, contract.Decide)
        made = operations.decide(case_id=escalation_id, said=body, by=actor(request), at=now())
        return _decided(made)

    @extend_schema(tags=CASES, responses=contract.Escalation)
    def delete(self, request: Request, escalation_id: UUID) -> Response:
        """Take the decision back while its undo window lasts."""
        return answer(operations.retract(case_id=escalation_id, by=actor(request), at=now()))


class Notes(APIView):
    """The thread beside a case."""

    @extend_schema(tags=CASES, request=contract.WriteNote, responses={201: contract.NoteWritten})
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Write a note for the next person."""
        body = said(request, contract.WriteNote)
        note = operations.add_note(case_id=escalation_id, text=body.text, by=actor(request), at=now())
        return answer(contract.NoteWritten(id=note), 201)


class Redelivery(APIView):
    """A decision posted once more."""

    @extend_schema(tags=CASES, request=None, responses={202: None})
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Post the current decision to the agent's webhook again."""
        operations.redeliver(case_id=escalation_id, by=actor(request), at=now())
        return Response(status=202)


class Resolution(APIView):
    """Closing by hand."""

    @extend_schema(tags=CASES, request=contract.CloseByHand, responses=contract.Escalation)
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Take a case out of the attention queue, saying what was done by hand."""
        body = said(request, contract.CloseByHand)
        return answer(operations.resolve(case_id=escalation_id, note=body.note, by=actor(request), at=now()))


def _decided(made: operations.Decided) -> Response:
    if made.decision is not None:
        return Response(spelled(made.decision), status=201 if made.created else 200)
    if made.vote is None:
        raise RuntimeError("A decision was neither made nor kept as a vote.")
    return answer(made.vote, 202)
