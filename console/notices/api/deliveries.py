"""The log of the outbox over REST, and another try by hand."""

from uuid import UUID

from django.utils.timezone import now
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor, only_parameters
from console.notices import contract, operations, queries
from console.notices.api import bodies
from console.notices.api.channels import NOTIFICATIONS
from console.notices.domain.permissions import ADMIN, insist_on_person

LIMIT = 50


class Deliveries(APIView):
    """The log."""

    @extend_schema(
        tags=NOTIFICATIONS,
        parameters=[OpenApiParameter(name, OpenApiTypes.STR) for name in ("state", "after")],
        responses=contract.Deliveries,
    )
    def get(self, request: Request) -> Response:
        """Give a page of the log, newest first: the person's own and the teams', everybody's to an administrator."""
        only_parameters(request, "state", "after")
        who, asked = actor(request), request.query_params
        page = queries.deliveries(
            person_id=insist_on_person(who),
            everything=ADMIN in who.roles,
            state=asked.get("state", ""),
            after=asked.get("after"),
            limit=LIMIT,
        )
        lines = [bodies.delivery(line) for line in page.rows]
        return bodies.answer(contract.Deliveries(deliveries=lines, after=page.after))


class Redelivery(APIView):
    """Another try."""

    @extend_schema(tags=NOTIFICATIONS, request=None, responses={202: None})
    def post(self, request: Request, delivery_id: UUID) -> Response:
        """Send a notice once more, under its old message id."""
        operations.redeliver(delivery_id=delivery_id, by=actor(request), at=now())
        return Response(status=202)
