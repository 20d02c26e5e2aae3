"""Deploy markers over HTTP."""

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.actor import ActorKind
from console.kit.http import actor, body_of
from telemetry import contract, operations
from telemetry.api.doors import refusals
from telemetry.domain.permissions import check, why_not_command
from telemetry.operations.items import read_one


class Deploys(APIView):
    """What was deployed, and when."""

    @extend_schema(
        operation_id="mark_deploy",
        tags=["Deploys"],
        summary="Tell of a deploy",
        request=contract.MarkDeploy,
        responses={
            200: contract.DeployMarked,
            201: contract.DeployMarked,
            **refusals(401, 403, 413, 415, 422),
        },
    )
    def post(self, request: Request) -> Response:
        """Note a deploy once; 201 where it is new, 200 where it was told before. Agents, SREs and admins may."""
        by = actor(request)
        if by.kind is not ActorKind.AGENT:
            check(why_not_command(by))
        said = read_one(body_of(request), contract.MarkDeploy)
        marker, new = operations.mark_deploy(
            name=said.name,
            version=said.version or "",
            tool=said.tool or "",
            url=said.url or "",
            deployed_at=said.at,
            by=by,
            at=now(),
        )
        told = contract.DeployMarked(id=marker, new=new)
        return Response(told.model_dump(mode="json"), status=201 if new else 200)
