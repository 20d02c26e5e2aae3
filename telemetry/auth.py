"""Agents show their key: for DRF, and for the ASGI functions and sockets that run before it."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from console.kit.http import CHALLENGE
from telemetry.queries.keys import (
    AgentPrincipal,
    aprincipal_of,
    key_of,
    principal_of,
    principal_of_key,
    stranger,
)

__all__ = ["AgentKeyAuthentication", "AgentPrincipal", "aprincipal_of", "principal_of"]


class AgentKeyAuthentication(BaseAuthentication):
    """Reads `Authorization: Bearer sb_…`; leaves every other bearer to whoever knows it."""

    def authenticate(self, request: Request) -> tuple[AgentPrincipal, str] | None:
        """Give the agent, None where the header is not ours, or refuse a key that is not live."""
        header = get_authorization_header(request).decode("latin-1")
        key = key_of(header)
        if key is None:
            return None
        principal = principal_of_key(key)
        if principal is None:
            raise stranger(header)
        return principal, key[:11]

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  # DRF's signature
        """Make DRF answer 401, not 403, to a stranger."""
        return CHALLENGE


class AgentKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # it registers itself
    """How the schema tells of it."""

    target_class = AgentKeyAuthentication
    name = "agentKey"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002  # its signature
        """Describe the header."""
        return {"type": "http", "scheme": "bearer", "description": "An agent's key, `sb_…`."}
