"""Calls over HTTP through Django: who may, what is answered, what is refused and how."""

import gzip

import pytest
from django.test import override_settings
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from telemetry.models import AgentKey, Call
from telemetry.operations import revoke_key
from telemetry.queries.keys import forget_keys
from tests import factories
from tests.telemetry.calls import body, call

pytestmark = pytest.mark.django_db
JSON = "application/json"


def post(client, data, content_type=JSON, **headers):
    return client.generic("POST", "/api/v1/calls", data, content_type=content_type, **headers)


def test_a_report_is_answered_with_what_became_of_each_item(booker, as_agent):
    client = as_agent(booker)
    answer = post(client, body(call("a"), call("b")))
    assert (answer.status_code, answer.json()) == (
        200,
        {"accepted": 2, "duplicate": 0, "corrected": 0, "rejected": []},
    )
    answer = post(client, body(call("a"), call("b", rev=1), {**call("c"), "x": 1}))
    said = answer.json()
    assert answer.status_code == 207
    assert (said["accepted"], said["duplicate"], said["corrected"]) == (0, 1, 1)
    (rejected,) = said["rejected"]
    assert (rejected["index"], rejected["call_id"], rejected["code"]) == (2, "c", "MALFORMED")
    assert rejected["errors"][0]["field"] == "x"
    assert rejected["errors"][0]["hint"] == "Remove the field, or check its spelling."


def test_a_stranger_is_asked_for_a_key(client, booker):
    for headers in (
        {},
        {"HTTP_AUTHORIZATION": "Bearer sb_12345678_nothing"},
        {"HTTP_AUTHORIZATION": "Basic eA=="},
    ):
        answer = post(client, body(call()), **headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")
        assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_person_reports_nothing(client, sre):
    client.force_login(sre)
    answer = post(client, body(call()))
    assert answer.status_code in {401, 403}
    assert Call.objects.count() == 0


def test_a_revoked_key_opens_nothing_at_once(booker, client):
    key = factories.agent_key(booker)
    assert post(client, body(call()), HTTP_AUTHORIZATION=f"Bearer {key}").status_code == 200
    revoke_key(key_id=AgentKey.objects.get().pk, by=SYSTEM, at=now())
    forget_keys()  # what on_commit does outside of a test's transaction
    assert post(client, body(call()), HTTP_AUTHORIZATION=f"Bearer {key}").status_code == 401


def test_gzip_is_taken(booker, as_agent):
    packed = gzip.compress(body(call()))
    assert post(as_agent(booker), packed, HTTP_CONTENT_ENCODING="gzip").json()["accepted"] == 1


GZIP = {"HTTP_CONTENT_ENCODING": "gzip"}
LONG = body(call(reasoning="x" * 70_000))
REFUSED = {
    "no list": (b"{}", JSON, {}, 422, "MALFORMED"),
    "no object": (b"[]", JSON, {}, 422, "MALFORMED"),
    "no item": (b'{"calls": []}', JSON, {}, 422, "MALFORMED"),
    "another field": (b'{"calls": [], "more": 1}', JSON, {}, 422, "MALFORMED"),
    "no json": (b"not json", JSON, {}, 422, "MALFORMED"),
    "too many items": (body(*[call(str(n)) for n in range(1001)]), JSON, {}, 422, "MALFORMED"),
    "another type": (body(call()), "text/plain", {}, 415, "UNSUPPORTED_MEDIA_TYPE"),
    "another packing": (body(call()), JSON, {"HTTP_CONTENT_ENCODING": "br"}, 415, "UNSUPPORTED_MEDIA_TYPE"),
    "no gzip": (body(call()), JSON, GZIP, 422, "BAD_GZIP"),
    "too long": (LONG, JSON, {}, 413, "TOO_LARGE"),
    "too long unpacked": (gzip.compress(LONG), JSON, GZIP, 413, "TOO_LARGE"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_every_refusal_has_the_one_shape(booker, as_agent, what):
    data, content_type, headers, status, code = REFUSED[what]
    with override_settings(MAX_BODY_BYTES=60_000 if status == 413 else 8 * 1024 * 1024):
        answer = post(as_agent(booker), data, content_type, **headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert set(answer.json()) == {"code", "detail", "errors"}
    assert Call.objects.count() == 0


def test_an_agent_may_ask_whether_a_call_is_stored(booker, as_agent):
    client = as_agent(booker)
    post(client, body(call("c/1", outcome="failed", failure={"class": "hard", "code": "NOT_FOUND"})))
    said = client.get("/api/v1/calls/c/1").json()
    assert (
        said["stored"],
        said["rev"],
        said["outcome"],
        said["class"],
        said["code"],
        said["class_source"],
    ) == (
        True,
        0,
        "failed",
        "hard",
        "NOT_FOUND",
        "agent",
    )


def test_another_agents_call_is_not_there(booker, rival_agent, as_agent):
    post(as_agent(booker), body(call()))
    answer = as_agent(rival_agent).get("/api/v1/calls/c-1")
    assert (answer.status_code, answer.json()["code"]) == (404, "NO_SUCH_CALL")


def test_other_verbs_are_refused_in_the_same_shape(booker, as_agent):
    answer = as_agent(booker).delete("/api/v1/calls")
    assert (answer.status_code, answer.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
