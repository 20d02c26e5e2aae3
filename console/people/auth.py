"""DRF authentication of people: a browser session, or a personal token."""

from django.utils.timezone import now
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.request import Request

from console.kit.http import CHALLENGE, NotSignedIn
from console.people.models import User
from console.people.operations import TOKEN_PREFIX, person_of_token


class PersonalTokenAuthentication(BaseAuthentication):
    """Reads `Authorization: Bearer sbp_…`; leaves every other bearer to whoever knows it."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        """Give the person, None where the header is not ours, or refuse a token that is not live."""
        kind, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if kind.lower() != "bearer" or not token.startswith(TOKEN_PREFIX):
            return None
        person = person_of_token(token=token, at=now())
        if person is None:
            raise NotSignedIn("This token is not known, was revoked, or has expired.")
        return person, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  # DRF's signature
        """Make DRF answer 401, not 403, to a stranger."""
        return CHALLENGE


class BrowserSession(SessionAuthentication):
    """Django's session with CSRF, answering 401 to strangers."""

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  # DRF's signature
        """Make DRF answer 401, not 403, to a stranger."""
        return CHALLENGE
