"""Teams over REST: who is on call, who stands in; people look, administrators set."""

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor
from escalations import contract, operations, queries
from escalations.api.bodies import answer, insist, named, said
from escalations.domain.permissions import insist_on_person, why_not_pause, why_not_rule

TEAMS = ["Teams"]


class Teams(APIView):
    """Every team."""

    @extend_schema(tags=TEAMS, responses=contract.Teams)
    def get(self, request: Request) -> Response:
        """List the teams with whoever is on call now."""
        insist_on_person(actor(request))
        return answer(queries.teams(at=now()))


class Team(APIView):
    """One team."""

    @extend_schema(tags=TEAMS, request=contract.SetTeam, responses=contract.Team)
    def put(self, request: Request, name: str) -> Response:
        """Make a team, or change its people and its rota."""
        insist(why_not_rule(actor(request)))
        body = said(request, contract.SetTeam)
        return answer(operations.set_team(name=named(name), said=body, by=actor(request), at=now()))

    @extend_schema(tags=TEAMS, responses={204: None})
    def delete(self, request: Request, name: str) -> Response:
        """Drop a team."""
        operations.drop_team(name=named(name), by=actor(request), at=now())
        return Response(status=204)


class Overrides(APIView):
    """Who stands in."""

    @extend_schema(tags=TEAMS, request=contract.AddOverride, responses={201: contract.Team})
    def post(self, request: Request, name: str) -> Response:
        """Let somebody stand in for a while; of two that overlap the later made one counts."""
        insist(why_not_pause(actor(request)))
        body = said(request, contract.AddOverride)
        done = operations.add_override(team=named(name), said=body, by=actor(request), at=now())
        return answer(done, 201)


class Override(APIView):
    """One who stands in."""

    @extend_schema(tags=TEAMS, responses=contract.Team)
    def delete(self, request: Request, name: str, override_id: int) -> Response:
        """Take a stand-in off again."""
        done = operations.drop_override(
            team=named(name), override_id=override_id, by=actor(request), at=now()
        )
        return answer(done)
