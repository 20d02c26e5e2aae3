"""Policies over REST: people look, administrators rule."""

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor
from escalations import contract, operations, queries
from escalations.api.bodies import answer, insist, named, said
from escalations.domain.permissions import insist_on_person, why_not_rule

POLICIES = ["Policies"]


class Policies(APIView):
    """Every rule."""

    @extend_schema(tags=POLICIES, responses=contract.Policies)
    def get(self, request: Request) -> Response:
        """List the rules in the order they are asked."""
        insist_on_person(actor(request))
        return answer(queries.listed_policies())


class Policy(APIView):
    """One rule."""

    @extend_schema(tags=POLICIES, request=contract.SetPolicy, responses=contract.Policy)
    def put(self, request: Request, name: str) -> Response:
        """Make a rule, or put another version of it."""
        insist(why_not_rule(actor(request)))
        body = said(request, contract.SetPolicy)
        return answer(operations.set_policy(name=named(name), said=body, by=actor(request), at=now()))

    @extend_schema(tags=POLICIES, responses={204: None})
    def delete(self, request: Request, name: str) -> Response:
        """Drop a rule."""
        operations.drop_policy(name=named(name), by=actor(request), at=now())
        return Response(status=204)


class Backtest(APIView):
    """What a rule would have done."""

    @extend_schema(tags=POLICIES, request=contract.PolicyMatch, responses=contract.Backtest)
    def post(self, request: Request) -> Response:
        """Hold a match against history; nothing is changed."""
        insist_on_person(actor(request))
        match = said(request, contract.PolicyMatch)
        return answer(queries.backtest(match=match.model_dump(mode="json", by_alias=True)))
