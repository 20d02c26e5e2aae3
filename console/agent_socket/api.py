"""`GET /api/v1/asyncapi`: the sockets' document, served to everyone."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.agent_socket.asyncapi import document


class AsyncApi(APIView):
    """What is said on the sockets."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:  # noqa: ARG002  # DRF's signature
        return Response(document())
