"""Every expected "no" leaves the API in one shape; our own faults do not pass as the caller's."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404
from rest_framework.exceptions import MethodNotAllowed, ParseError, Throttled

from console.kit.http import NotSignedIn, problem_response
from console.kit.problem import problem
from console.kit.refusal import FieldError, Kind, Refused


class Full(Refused):
    kind, code = Kind.TOO_MANY, "QUEUE_FULL"


def test_a_refusal_keeps_its_code_its_errors_and_its_wait():
    wrong = FieldError("RANGE", "row", "1 to 60", 99, "Choose a row that the cabin has.")
    answer = problem(Full("The queue is full.", errors=(wrong,), extra={"queued": 5}, retry_after_s=0.2), {})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    assert answer.data == {
        "code": "QUEUE_FULL",
        "detail": "The queue is full.",
        "errors": [
            {
                "code": "RANGE",
                "field": "row",
                "constraint": "1 to 60",
                "received": 99,
                "hint": "Choose a row that the cabin has.",
            }
        ],
        "queued": 5,
    }


@pytest.mark.parametrize(
    ("exc", "status", "code"),
    [
        (Http404(), 404, "NOT_FOUND"),
        (PermissionDenied(), 403, "FORBIDDEN"),
        (ParseError(), 400, "PARSE_ERROR"),
        (MethodNotAllowed("PUT"), 405, "METHOD_NOT_ALLOWED"),
        (Throttled(), 429, "THROTTLED"),
        (NotSignedIn("Sign in first."), 401, "UNAUTHORIZED"),
    ],
)
def test_the_frameworks_own_refusals_take_the_same_shape(exc, status, code):
    answer = problem(exc, {})
    assert answer.status_code == status
    assert answer.data["code"] == code
    assert set(answer.data) == {"code", "detail", "errors"}


def test_a_busy_database_is_told_as_such_and_may_be_asked_again():
    answer = problem(OperationalError("database is locked"), {})
    assert (answer.status_code, answer.data["code"], answer.headers["Retry-After"]) == (
        503,
        "DATABASE_BUSY",
        "1",
    )
    assert "locked" not in answer.data["detail"]


def test_a_bug_of_ours_is_not_answered_here():
    assert problem(ZeroDivisionError(), {}) is None


def test_a_stranger_is_told_how_to_sign_in():
    assert "Bearer" in problem_response(NotSignedIn("Sign in first.")).headers["WWW-Authenticate"]
