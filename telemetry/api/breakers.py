"""Breakers over HTTP: what agents say about them, and what people tell them."""

from django.conf import settings
from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor, body_of
from telemetry import contract, operations, queries
from telemetry.api.doors import Agents, agent, refusals
from telemetry.contract.asked import command_number, instance_name
from telemetry.domain.permissions import check, why_not_command
from telemetry.operations.items import read_items, read_one

BREAKERS = ["Breakers"]


class Events(APIView):
    """Changes of breakers, each told once."""

    permission_classes = [Agents]

    @extend_schema(
        operation_id="report_breaker_events",
        tags=BREAKERS,
        summary="Report what breakers did",
        request=contract.ReportBreakerEvents,
        responses={
            200: contract.BreakerEventsAnswer,
            207: contract.BreakerEventsAnswer,
            **refusals(401, 413, 415, 422),
        },
    )
    def post(self, request: Request) -> Response:
        """Store 1 to 1,000 events; order them by life of the process and number, not by arrival."""
        found = read_items(
            body_of(request),
            batch=contract.ReportBreakerEvents,
            item=contract.BreakerEvent,
            name="events",
            id_name="event_id",
            most=contract.MAX_EVENTS,
        )
        rejected = [
            contract.RejectedEvent(
                index=no.index, event_id=no.id, code=no.code, detail=no.detail, errors=list(no.errors)
            )
            for no in found.rejected
        ]
        events = [said for said, _, _ in found.good]
        done = operations.report_events(
            agent_id=agent(request).agent_id, events=events, rejected=rejected, at=now()
        )
        return Response(done.model_dump(mode="json"), status=207 if done.rejected else 200)


class Instance(APIView):
    """The heartbeat of one process."""

    permission_classes = [Agents]

    @extend_schema(
        operation_id="breaker_heartbeat",
        tags=BREAKERS,
        summary="Say that an instance lives, and how its breakers stand",
        request=contract.Heartbeat,
        responses={200: contract.HeartbeatAnswer, **refusals(401, 413, 415, 422)},
    )
    def put(self, request: Request, instance: str) -> Response:
        """Take all breakers of the instance; those it no longer names are gone."""
        said = read_one(body_of(request), contract.Heartbeat)
        name = instance_name(instance)
        taken = operations.beat(agent_id=agent(request).agent_id, instance=name, said=said, at=now())
        newest = queries.commands_for(agent_id=agent(request).agent_id, instance=name, after=0, at=now())
        told = contract.HeartbeatAnswer(
            instance=name,
            stale_after_s=settings.BREAKER_STALE_AFTER_S,
            commands_after=newest.after,
            ignored=not taken,
        )
        return Response(told.model_dump(mode="json"))


class Commands(APIView):
    """The commands that an instance has to know."""

    permission_classes = [Agents]

    @extend_schema(
        operation_id="breaker_commands",
        tags=BREAKERS,
        summary="Ask for commands, waiting for one if wanted",
        parameters=[
            OpenApiParameter("instance", str, required=True),
            OpenApiParameter(
                "after", int, description="The highest number known; 0 gives all that are in force."
            ),
            OpenApiParameter("wait", float, description="Seconds to wait for a command, 60 at most."),
        ],
        responses={200: contract.BreakerCommands, **refusals(401, 422)},
    )
    def get(self, request: Request) -> Response:
        """Answer at once; a request that waits is answered by `consumers.commands_poll`."""
        asked = request.query_params
        found = queries.commands_for(
            agent_id=agent(request).agent_id,
            instance=instance_name(asked.get("instance", "")),
            after=command_number(asked.get("after", "0")),
            at=now(),
        )
        return Response(found.model_dump(mode="json"))


class CommandAck(APIView):
    """What an instance did with a command."""

    permission_classes = [Agents]

    @extend_schema(
        operation_id="acknowledge_breaker_command",
        tags=BREAKERS,
        summary="Say what an instance did with a command",
        request=contract.AcknowledgeCommand,
        responses={204: None, **refusals(401, 404, 415, 422)},
    )
    def post(self, request: Request) -> Response:
        """Keep the newest word of each instance."""
        said = read_one(body_of(request), contract.AcknowledgeCommand)
        operations.acknowledge_command(agent_id=agent(request).agent_id, said=said, at=now())
        return Response(status=204)


class BreakerCommands(APIView):
    """People tell a breaker what to do."""

    @extend_schema(
        operation_id="command_breaker",
        tags=BREAKERS,
        summary="Tell a breaker what to do, until when, and why",
        request=contract.IssueCommand,
        responses={201: contract.BreakerCommand, **refusals(401, 403, 404, 415, 422)},
    )
    def post(self, request: Request, breaker: str) -> Response:
        """Issue one audited command; an unknown breaker is 404, never made."""
        by = actor(request)
        check(why_not_command(by))
        said = read_one(body_of(request), contract.IssueCommand)
        number = operations.command_breaker(
            breaker=breaker,
            verb=said.command,
            reason=said.reason,
            expires_at=said.expires_at,
            instances=None if said.instances is None else tuple(said.instances),
            expected_state=said.expected_state,
            by=by,
            at=now(),
        )
        return Response(queries.command_numbered(number=number).model_dump(mode="json"), status=201)
