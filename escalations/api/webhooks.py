"""Webhooks over REST: where an agent's decisions are posted, and the messages of a case's chain."""

from uuid import UUID

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from console.kit.http import actor
from escalations import contract, operations
from escalations.api.agents import CASES
from escalations.api.bodies import answer, insist, named, said
from escalations.domain.permissions import why_not_rule
from escalations.queries.posts import chain_posts
from telemetry import operations as agents
from telemetry.operations.agents import NoSuchAgent
from telemetry.queries.agents import agent_named
from telemetry.queries.owners import agent_webhook


class AgentWebhook(APIView):
    """Where the decisions about an agent's cases are posted; for administrators."""

    @extend_schema(tags=CASES, responses=contract.WebhookIs)
    def get(self, request: Request, name: str) -> Response:
        """Say where they are posted now; the secret is shown only when it is made."""
        insist(why_not_rule(actor(request)))
        hook = agent_webhook(agent_id=str(_agent(name)))
        return answer(contract.WebhookIs(url=hook.url if hook else ""))

    @extend_schema(tags=CASES, request=contract.SetWebhook, responses=contract.WebhookSet)
    def put(self, request: Request, name: str) -> Response:
        """Post them there from now on, signed with the secret of this answer."""
        insist(why_not_rule(actor(request)))
        url = said(request, contract.SetWebhook).url
        secret = agents.set_webhook(agent_id=_agent(name), url=url, by=actor(request), at=now())
        return answer(contract.WebhookSet(url=url, secret=secret))

    @extend_schema(tags=CASES, responses={204: None})
    def delete(self, request: Request, name: str) -> Response:
        """Post them nowhere any more."""
        insist(why_not_rule(actor(request)))
        agents.set_webhook(agent_id=_agent(name), url="", by=actor(request), at=now())
        return Response(status=204)


class ChainPosts(APIView):
    """The messages that a case's chain put out."""

    @extend_schema(tags=CASES, responses=contract.ChainPosts)
    def get(self, request: Request, escalation_id: UUID) -> Response:
        """List them with their tries and what went wrong with the last."""
        return answer(chain_posts(case_id=escalation_id, actor=actor(request)))


class ChainRedelivery(APIView):
    """A message of a chain posted once more."""

    @extend_schema(tags=CASES, request=None, responses={202: None})
    def post(self, request: Request, escalation_id: UUID, post_id: UUID) -> Response:
        """Post it again, while the case is undecided."""
        operations.redeliver_chain_post(case_id=escalation_id, post_id=post_id, by=actor(request), at=now())
        return Response(status=202)


def _agent(name: str) -> int:
    agent_id = agent_named(named(name, most=160))
    if agent_id is None:
        raise NoSuchAgent("There is no agent of this name.")
    return agent_id
