"""What the views share: who may enter, how refusals are documented."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from console.kit.http import actor
from console.kit.refusal import Kind, Refused
from console.kit.wire import Problem
from telemetry.queries.keys import AgentPrincipal, stranger


class NotForAgents(Refused):
    """An agent's key at a door that is for people."""

    kind, code = Kind.FORBIDDEN, "FORBIDDEN"


class Agents(BasePermission):
    """Only an agent's key opens these."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002  # DRF's signature
        """Refuse people and strangers in one way."""
        if not isinstance(request.user, AgentPrincipal):
            raise stranger("")
        return True


class People(BasePermission):
    """Only people open these, by session or personal token."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002  # DRF's signature
        """Turn strangers and agents away, each in their own way."""
        if not actor(request).is_person:
            raise NotForAgents("An agent reads its own calls by their ids; people search.")
        return True


def agent(request: Request) -> AgentPrincipal:
    """Give the agent that `Agents` has let in."""
    principal = request.user
    assert isinstance(principal, AgentPrincipal)  # noqa: S101  # the permission has seen to it
    return principal


def refusals(*statuses: int) -> dict[int, type[Problem]]:
    """Give the documentation of refusals with these status numbers."""
    return dict.fromkeys(statuses, Problem)
