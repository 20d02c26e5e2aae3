"""Channels over REST: a person's own, and the teams' for administrators."""

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor
from console.notices import contract, operations, queries
from console.notices.api import bodies
from console.notices.domain.permissions import insist_on_person

NOTIFICATIONS = ["Notifications"]


class Channels(APIView):
    """The person's own channels and the teams'."""

    @extend_schema(tags=NOTIFICATIONS, responses=contract.Channels)
    def get(self, request: Request) -> Response:
        """List the person's own channels and the teams'."""
        lines = queries.own_channels(person_id=insist_on_person(actor(request))) + queries.team_channels()
        return bodies.answer(contract.Channels(channels=[bodies.channel(line) for line in lines]))

    @extend_schema(tags=NOTIFICATIONS, request=contract.NewChannel, responses={201: contract.MadeChannel})
    def post(self, request: Request) -> Response:
        """Make a channel; a signed webhook's secret is told this once."""
        said = bodies.said(request, contract.NewChannel)
        made = operations.add_channel(said=said, by=actor(request), at=now())
        return bodies.answer(bodies.made(made.line, made.secret), 201)


class Channel(APIView):
    """One channel."""

    @extend_schema(tags=NOTIFICATIONS, request=contract.ChangedChannel, responses=contract.Channel)
    def put(self, request: Request, channel_id: int) -> Response:
        """Put other settings over a channel."""
        said = bodies.said(request, contract.ChangedChannel)
        line = operations.change_channel(channel_id=channel_id, said=said, by=actor(request), at=now())
        return bodies.answer(bodies.channel(line))

    @extend_schema(tags=NOTIFICATIONS, responses={204: None})
    def delete(self, request: Request, channel_id: int) -> Response:
        """Remove a channel; what waits for it is dropped."""
        operations.remove_channel(channel_id=channel_id, by=actor(request), at=now())
        return Response(status=204)


class Pause(APIView):
    """A channel's pause."""

    @extend_schema(tags=NOTIFICATIONS, request=None, responses=contract.Channel)
    def post(self, request: Request, channel_id: int) -> Response:
        """Hold a channel's messages."""
        line = operations.pause_channel(channel_id=channel_id, paused=True, by=actor(request), at=now())
        return bodies.answer(bodies.channel(line))

    @extend_schema(tags=NOTIFICATIONS, responses=contract.Channel)
    def delete(self, request: Request, channel_id: int) -> Response:
        """Let them go again."""
        line = operations.pause_channel(channel_id=channel_id, paused=False, by=actor(request), at=now())
        return bodies.answer(bodies.channel(line))


class Test(APIView):
    """A test message."""

    @extend_schema(tags=NOTIFICATIONS, request=None, responses={202: contract.Tested})
    def post(self, request: Request, channel_id: int) -> Response:
        """Put a test message into the outbox; its line in the log says how it ends."""
        made = operations.send_test(channel_id=channel_id, by=actor(request), at=now())
        return bodies.answer(contract.Tested(delivery_id=made), 202)
