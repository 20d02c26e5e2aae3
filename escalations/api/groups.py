"""Cases of one cause over REST, and what is left of a plan."""

from uuid import UUID

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor
from escalations import contract, operations, queries
from escalations.api.agents import CASES
from escalations.api.bodies import answer, insist, named, said
from escalations.domain.permissions import insist_on_person, why_not
from escalations.vocabulary import Verb


class Groups(APIView):
    """Causes with more than one undecided case."""

    @extend_schema(tags=CASES, responses=contract.Groups)
    def get(self, request: Request) -> Response:
        """List them, the largest first."""
        insist_on_person(actor(request))
        return answer(queries.groups(at=now()))


class GroupDecision(APIView):
    """One decision for many cases of a cause."""

    @extend_schema(tags=CASES, request=contract.DecideGroup, responses=contract.GroupAnswer)
    def post(self, request: Request, fingerprint: str) -> Response:
        """Decide the cases that were looked at, each with an answer of its own; whoever joined since is named."""
        insist(why_not(actor(request), Verb.DECIDE, None))
        body = said(request, contract.DecideGroup)
        done = operations.decide_group(
            fingerprint=named(fingerprint, most=64), said=body, by=actor(request), at=now()
        )
        return answer(done)


class Rest(APIView):
    """What is left of a plan that ended halfway."""

    @extend_schema(tags=CASES, request=contract.OpenRest, responses=contract.Escalation)
    def post(self, request: Request, escalation_id: UUID) -> Response:
        """Put the steps that are not done before people, as the next revision."""
        body = said(request, contract.OpenRest)
        done = operations.open_rest(
            case_id=escalation_id,
            base_revision=body.base_revision,
            expires_at=body.expires_at,
            by=actor(request),
            at=now(),
        )
        return answer(done)
