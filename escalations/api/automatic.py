"""Automatic decisions over REST: holding them back, switching rules, and what history suggests."""

from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor
from console.kit.refusal import FieldError
from escalations import contract, operations, queries
from escalations.api.bodies import BadQuery, answer, insist, named, said
from escalations.api.policies import POLICIES
from escalations.domain.permissions import insist_on_person, why_not_pause, why_not_rule
from escalations.vocabulary import Paused

URL = OpenApiParameter("url", str, required=True, description="The address of a chain's webhook step.")
KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=[kind.value for kind in Paused])


class Pauses(APIView):
    """Everything that is held back."""

    @extend_schema(tags=POLICIES, responses=contract.Pauses)
    def get(self, request: Request) -> Response:
        """List whose automatic decisions are held back now."""
        insist_on_person(actor(request))
        return answer(queries.pauses(at=now()))


class Pause(APIView):
    """The kill switch of an agent's cases or of a policy."""

    @extend_schema(tags=POLICIES, parameters=[KIND], request=contract.HoldBack, responses=contract.Pause)
    def put(self, request: Request, kind: str, name: str) -> Response:
        """Hold automatic decisions back: declared defaults, and policies that decide."""
        insist(why_not_pause(actor(request)))
        body = said(request, contract.HoldBack)
        done = operations.pause(
            kind=_kind(kind), name=named(name, most=200), said=body, by=actor(request), at=now()
        )
        return answer(done)

    @extend_schema(tags=POLICIES, parameters=[KIND], responses={204: None})
    def delete(self, request: Request, kind: str, name: str) -> Response:
        """Let automatic decisions go on."""
        operations.unpause(kind=_kind(kind), name=named(name, most=200), by=actor(request), at=now())
        return Response(status=204)


class PolicyMode(APIView):
    """Whether a rule rules."""

    @extend_schema(tags=POLICIES, request=contract.SwitchPolicy, responses=contract.Policy)
    def put(self, request: Request, name: str) -> Response:
        """Switch a rule on, to watching, or off; its owner may always switch it off."""
        insist_on_person(actor(request))
        body = said(request, contract.SwitchPolicy)
        return answer(operations.switch_policy(name=named(name), mode=body.mode, by=actor(request), at=now()))


class Shadow(APIView):
    """How a rule that watches would have done."""

    @extend_schema(tags=POLICIES, responses=contract.ShadowReport)
    def get(self, request: Request, name: str) -> Response:
        """Hold what a rule would have decided against what people decided."""
        insist_on_person(actor(request))
        return answer(queries.shadow_report(name=named(name)))


class Suggestions(APIView):
    """Rules that people have followed already."""

    @extend_schema(tags=POLICIES, responses=contract.Suggestions)
    def get(self, request: Request) -> Response:
        """List what equal decisions speak for and none against, with the evidence."""
        insist_on_person(actor(request))
        return answer(queries.suggestions())


class Suggestion(APIView):
    """One of them."""

    @extend_schema(tags=POLICIES, request=contract.TakeSuggestion, responses={201: contract.Policy})
    def post(self, request: Request, suggestion_id: str) -> Response:
        """Make a policy of it; it only watches at first, and it expires."""
        insist(why_not_rule(actor(request)))
        body = said(request, contract.TakeSuggestion, optional=True)
        done = operations.take_suggestion(
            suggestion_id=named(suggestion_id, most=64), said=body, by=actor(request), at=now()
        )
        return answer(done, 201)

    @extend_schema(tags=POLICIES, request=contract.DismissSuggestion, responses={204: None})
    def delete(self, request: Request, suggestion_id: str) -> Response:
        """Say that it is not wanted, and why; it is not suggested again."""
        insist(why_not_rule(actor(request)))
        body = said(request, contract.DismissSuggestion)
        operations.dismiss_suggestion(
            suggestion_id=named(suggestion_id, most=64), reason=body.reason, by=actor(request), at=now()
        )
        return Response(status=204)


class WebhookSecret(APIView):
    """What messages of chains are signed with."""

    @extend_schema(tags=POLICIES, parameters=[URL], responses=contract.ChainSecret)
    def get(self, request: Request) -> Response:
        """Read the secret of an address, to hand it to whoever receives there; for administrators."""
        url = request.query_params.get("url", "")[:500]
        return answer(queries.secret_shown(url=url, actor=actor(request)))


def _kind(text: str) -> Paused:
    try:
        return Paused(text)
    except ValueError:
        known = ", ".join(Paused)
        wrong = FieldError("ENUM", "kind", f"one of: {known}", text[:40])
        raise BadQuery("Nothing of this kind can be held back.", errors=(wrong,)) from None
