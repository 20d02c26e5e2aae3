"""What people say about spikes, causes, tools and calls, over REST: the same operations as on the pages."""

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor, body_of
from console.kit.wire import Outbound
from telemetry import contract, operations, queries
from telemetry.api.doors import People, refusals
from telemetry.domain.permissions import check, why_not_answer_spikes, why_not_make_rules, why_not_relabel
from telemetry.operations.items import read_one
from telemetry.queries import SpikeRow
from telemetry.vocabulary import SpikeKind

SPIKES, CAUSES = ["Spikes"], ["Causes"]
WRITING = refusals(401, 403, 404, 413, 415, 422)


class Spikes(APIView):
    """What rises."""

    permission_classes = [People]

    @extend_schema(
        operation_id="list_spikes",
        tags=SPIKES,
        summary="List spikes",
        responses={200: contract.Spikes, **refusals(401, 403)},
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002  # DRF's signature
        """Give what is open, and what was open within the last day."""
        rows = queries.spikes(at=now())
        return _told(contract.Spikes(spikes=[_spike(row) for row in rows]))


class SpikeAcknowledgement(APIView):
    """Somebody who looks at a spike."""

    permission_classes = [People]

    @extend_schema(
        operation_id="acknowledge_spike",
        tags=SPIKES,
        summary="Acknowledge a spike",
        request=None,
        responses={200: contract.Spike, **WRITING},
    )
    def put(self, request: Request, spike_id: int) -> Response:
        """Say that one looks at it; the first one stands."""
        check(why_not_answer_spikes(actor(request)))
        operations.acknowledge_spike(spike_id=spike_id, by=actor(request), at=now())
        found = queries.spike(spike_id=spike_id, at=now())
        assert found is not None  # noqa: S101  # it was acknowledged a moment ago
        return _told(_spike(found))


class Mutes(APIView):
    """Silence over spikes."""

    permission_classes = [People]

    @extend_schema(
        operation_id="mute_spikes",
        tags=SPIKES,
        summary="Mute spikes until a moment",
        request=contract.MuteSpikes,
        responses={201: contract.Made, **WRITING},
    )
    def post(self, request: Request) -> Response:
        """Keep spikes quiet; they are still recorded."""
        check(why_not_answer_spikes(actor(request)))
        said = read_one(body_of(request), contract.MuteSpikes)
        made = operations.mute_spikes(
            tool=said.tool or "",
            subject=str(said.failure_class or (SpikeKind.PERSON if said.tool is None else "")),
            until=said.until,
            reason=said.reason,
            by=actor(request),
            at=now(),
        )
        return _told(contract.Made(id=made), 201)


class Mute(APIView):
    """One silence."""

    permission_classes = [People]

    @extend_schema(
        operation_id="unmute_spikes", tags=SPIKES, summary="End a mute now", responses={204: None, **WRITING}
    )
    def delete(self, request: Request, mute_id: int) -> Response:
        """End it; a second time changes nothing."""
        check(why_not_answer_spikes(actor(request)))
        operations.unmute_spikes(mute_id=mute_id, by=actor(request), at=now())
        return Response(status=204)


class CauseRules(APIView):
    """Rules about causes."""

    permission_classes = [People]

    @extend_schema(
        operation_id="list_cause_rules",
        tags=CAUSES,
        summary="List the rules about causes",
        responses={200: contract.CauseRules, **refusals(401, 403)},
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002  # DRF's signature
        """Give the rules in force."""
        rules = [
            contract.CauseRule(
                id=row.id,
                contains=row.contains,
                title=row.title,
                tool=row.tool,
                failure_class=row.failure_class,
                code=row.code,
                by=row.by,
                made_at=row.made_at,
            )
            for row in queries.rules()
        ]
        return _told(contract.CauseRules(rules=rules))

    @extend_schema(
        operation_id="set_cause_rule",
        tags=CAUSES,
        summary="Part or join causes by a rule",
        request=contract.SetCauseRule,
        responses={201: contract.Made, **WRITING},
    )
    def post(self, request: Request) -> Response:
        """Make a rule, or change the one for the same text and tool; stored failures are judged again by it."""
        check(why_not_make_rules(actor(request)))
        said = read_one(body_of(request), contract.SetCauseRule)
        made = operations.set_fingerprint_rule(
            contains=said.contains,
            title=said.title,
            tool=said.tool or "",
            failure_class=said.failure_class,
            code=said.code or "",
            by=actor(request),
            at=now(),
        )
        return _told(contract.Made(id=made), 201)


class CauseRule(APIView):
    """One rule."""

    permission_classes = [People]

    @extend_schema(
        operation_id="drop_cause_rule",
        tags=CAUSES,
        summary="Take a rule back",
        responses={204: None, **WRITING},
    )
    def delete(self, request: Request, rule_id: int) -> Response:
        """Take it back; stored failures are judged again without it."""
        check(why_not_make_rules(actor(request)))
        operations.drop_fingerprint_rule(rule_id=rule_id, by=actor(request), at=now())
        return Response(status=204)


class Label(APIView):
    """What a failure really was."""

    permission_classes = [People]

    @extend_schema(
        operation_id="label_call",
        tags=["Calls"],
        summary="Say what the failure of a call really was",
        request=contract.LabelCall,
        responses={204: None, **WRITING},
    )
    def put(self, request: Request) -> Response:
        """Relabel one call; every counter follows, and the rules will not judge it again."""
        check(why_not_relabel(actor(request)))
        said = read_one(body_of(request), contract.LabelCall)
        agent_id = queries.agent_named(said.agent)
        found = None if agent_id is None else queries.call_of_agent(agent_id=agent_id, call_id=said.call_id)
        if found is None:
            raise operations.NoSuchCall("There is no such call.")
        operations.relabel_call(
            call_id=found.row.id,
            failure_class=said.failure_class,
            code=said.code or "",
            by=actor(request),
            at=now(),
        )
        return Response(status=204)


class NotFound(APIView):
    """What "not found" means of a tool."""

    permission_classes = [People]

    @extend_schema(
        operation_id="judge_not_found",
        tags=CAUSES,
        summary='Say whether "not found" is an empty answer of a tool',
        request=contract.JudgeNotFound,
        responses={204: None, **WRITING},
    )
    def put(self, request: Request, name: str) -> Response:
        """Say it; stored failures are judged again by it."""
        check(why_not_make_rules(actor(request)))
        said = read_one(body_of(request), contract.JudgeNotFound)
        operations.set_not_found_is_empty(tool=name, value=said.empty, by=actor(request), at=now())
        return Response(status=204)


def _told(model: Outbound, status: int = 200) -> Response:
    return Response(model.model_dump(mode="json", by_alias=True), status=status)


def _spike(row: SpikeRow) -> contract.Spike:
    same = ("id", "kind", "tool", "failure_class", "advice", "opened_at", "closed_at", "observed", "calls")
    more = ("expected", "ratio", "probability", "window_min", "acknowledged_by", "muted")
    return contract.Spike(
        **{name: getattr(row, name) for name in (*same, *more)},
        causes=[cause.id for cause in row.causes],
        agents=[name for name, _ in row.agents],
    )
