"""How people show who they are, as the OpenAPI document says it."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class PersonalTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # spectacular's metaclass
    """A person's own token."""

    target_class = "console.people.auth.PersonalTokenAuthentication"
    name = "personalToken"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, object]:  # noqa: ARG002  # its signature
        """Describe the header."""
        return {"type": "http", "scheme": "bearer", "description": "A token from the account page: `sbp_…`."}


class BrowserSessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # spectacular's metaclass
    """A signed-in browser."""

    target_class = "console.people.auth.BrowserSession"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, object]:  # noqa: ARG002  # its signature
        """Describe the cookie."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The browser's session; writes need the CSRF token as well.",
        }
