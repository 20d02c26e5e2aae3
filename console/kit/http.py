"""What HTTP says for a refusal, who stands behind a request, and which page of a list it asks for."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework.request import Request

from console.kit.actor import Actor, ActorKind
from console.kit.bodies import check_length, media_type, unpacked
from console.kit.paging import BadCursor, Key, Page, page_within
from console.kit.refusal import FieldError, Kind, Refused

T = TypeVar("T")

STATUS = {
    Kind.INVALID: 422,
    Kind.UNAUTHORIZED: 401,
    Kind.FORBIDDEN: 403,
    Kind.MISSING: 404,
    Kind.CONFLICT: 409,
    Kind.GONE: 410,
    Kind.TOO_SLOW: 408,
    Kind.TOO_LARGE: 413,
    Kind.UNSUPPORTED: 415,
    Kind.TOO_MANY: 429,
    Kind.UNAVAILABLE: 503,
}
JSON = frozenset({"application/json"})
CHALLENGE = 'Bearer realm="switchboard"'


class NotSignedIn(Refused):
    """Nobody stands behind the request."""

    kind, code = Kind.UNAUTHORIZED, "UNAUTHORIZED"


def headers_of(refusal: Refused) -> dict[str, str]:
    """Give the headers that belong to a refusal."""
    headers = {}
    if refusal.retry_after_s is not None:
        headers["Retry-After"] = str(max(1, math.ceil(refusal.retry_after_s)))
    if refusal.kind is Kind.UNAUTHORIZED:
        headers["WWW-Authenticate"] = CHALLENGE
    if refusal.kind is Kind.TOO_SLOW:
        headers["Connection"] = "close"
    return headers


def problem_response(refusal: Refused) -> JsonResponse:
    """Answer a refusal outside DRF, with the same document."""
    return JsonResponse(refusal.document(), status=STATUS[refusal.kind], headers=headers_of(refusal))


def actor(request: Request | HttpRequest) -> Actor:
    """Say who is asking. Strangers never reach an operation.

    A principal that carries its own `actor` (an agent's key) gives that; a person is read from the session.
    """
    user = request.user
    carried = getattr(user, "actor", None)
    if isinstance(carried, Actor):
        return carried
    if user.pk is None or not user.is_active:
        raise NotSignedIn("Sign in, or show a bearer that is known: `sb_…` is an agent, `sbp_…` a person.")
    asker, found = request.__dict__.get("asker", (None, None))
    if asker is user and isinstance(found, Actor):
        return found  # the page has asked; its frame asks as well
    roles = frozenset(user.groups.values_list("name", flat=True))
    found = Actor(ActorKind.PERSON, str(user.pk), user.get_username(), roles)
    request.__dict__["asker"] = (user, found)
    return found


class UnknownParameter(Refused):
    """A query string asks for something that does not exist; an answer without it would be taken for one with it."""

    kind, code = Kind.INVALID, "UNKNOWN_PARAMETER"


def only_parameters(request: Request, *known: str) -> None:
    """Refuse a query string with a misspelt name: a filter that is passed over in silence gives everything."""
    unknown = [name for name in request.query_params if name not in known]
    if unknown:
        wrong = [
            FieldError("UNKNOWN_PARAMETER", name[:40], f"one of: {', '.join(known)}") for name in unknown[:10]
        ]
        raise UnknownParameter("This address knows no such parameter.", errors=tuple(wrong))


def counted(request: HttpRequest, **numbers: int) -> None:
    """Keep numbers that a page has read, so that the frame around it does not read them again."""
    request.__dict__.setdefault("counted", {}).update(numbers)


def paged(
    request: HttpRequest,
    rows: Sequence[T],
    *,
    limit: int,
    key: Callable[[T], Key],
    types: tuple[Callable[[str], object], ...],
) -> Page[T]:
    """Cut the page asked for out of ordered rows; a cursor that was made up leads nowhere."""
    try:
        return page_within(rows, after=request.GET.get("after"), limit=limit, key=key, types=types)
    except BadCursor as refusal:
        raise Http404 from refusal


def body_of(
    request: Request, *, allowed: frozenset[str] = JSON, limit: int | None = None, optional: bool = False
) -> bytes:
    """Give the bytes of a request of these media types, bounded before and after decompression.

    An optional body that is left out needs no media type.
    """
    limit = limit or settings.MAX_BODY_BYTES
    check_length(request.headers.get("Content-Length"), limit=limit)
    # Read past Django's own limit for bodies, which answers a page and not a problem document.
    packed = request._request.read(limit + 1)  # noqa: SLF001  # DRF would parse it
    check_length(str(len(packed)), limit=limit)
    if packed or not optional:
        media_type(request.headers.get("Content-Type", ""), allowed=allowed)
    return unpacked(packed, request.headers.get("Content-Encoding", ""), limit=limit)
