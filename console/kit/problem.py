"""DRF's exception handler: every expected "no" of the API in one shape.

Apart from `kit.http`, because DRF loads its authentication classes, which use that module, with its views.
"""

import logging

from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404
from rest_framework.exceptions import APIException, AuthenticationFailed, NotAuthenticated
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from console.kit.http import STATUS, headers_of
from console.kit.refusal import Kind, Refused

log = logging.getLogger(__name__)


class DatabaseBusy(Refused):
    """The database did not answer in time, or is away. The same request again is safe: every write has a key."""

    kind, code = Kind.UNAVAILABLE, "DATABASE_BUSY"


def problem(exc: Exception, context: dict[str, object]) -> Response | None:
    """Answer a refusal, or one of DRF's own; anything else propagates as a 500."""
    if isinstance(exc, OperationalError):  # locked for too long, or its server is away: ours, and it passes
        log.warning("the database did not take a request: %s", exc)
        exc = DatabaseBusy("The database is busy. Send the same again.", retry_after_s=1)
    if isinstance(exc, Refused):
        set_rollback()
        return Response(exc.document(), status=STATUS[exc.kind], headers=headers_of(exc))
    answer = exception_handler(exc, context)
    if answer is not None:
        answer.data = {"code": _code(exc), "detail": _detail(exc), "errors": []}
    return answer


def _code(exc: Exception) -> str:
    match exc:
        case Http404():
            return "NOT_FOUND"
        case PermissionDenied():
            return "FORBIDDEN"
        case NotAuthenticated() | AuthenticationFailed():
            return "UNAUTHORIZED"
        case APIException():
            return str(exc.default_code).upper()
        case _:
            return "REFUSED"


def _detail(exc: Exception) -> str:
    match exc:
        case Http404():
            return "There is nothing at this address."
        case APIException() if isinstance(exc.detail, str):
            return str(exc.detail)
        case _:
            return "You may not do this."
