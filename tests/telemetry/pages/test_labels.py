"""What people say about one call or one tool: who may, what it changes, and that it can be seen who said it."""

import pytest
from django.test import Client

from telemetry.models import Call, Tool
from tests import factories
from tests.telemetry.counters import counters, recount
from tests.telemetry.pages.made import recent, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def call_id(report):
    report(refused("a"), recent("b"))
    return Call.objects.get(call_id="a").pk


def classes():
    return {
        row.call_id: (row.series.failure_class, row.series.code)
        for row in Call.objects.select_related("series")
    }


def test_an_operator_says_what_a_failure_really_was(signed_in, call_id):
    here = f"/traces/x/#call-{call_id}"
    answer = signed_in.post(
        f"/calls/{call_id}/label/", {"class": "transient", "code": "token_expired", "next": here}
    )
    assert answer.url == here
    assert classes()["a"] == ("transient", "TOKEN_EXPIRED")
    assert counters() == recount()
    shown = signed_in.get("/traces/4bf92f3577b34da6a3ce929d0e0e4736/").content.decode()
    assert "ana said so" in shown


@pytest.mark.parametrize("said", [{"class": "nonsense"}, {"class": "hard", "code": "no code"}, {}])
def test_what_is_no_label_changes_nothing(signed_in, call_id, said):
    signed_in.post(f"/calls/{call_id}/label/", said)
    assert classes()["a"] == ("hard", "UNAUTHORIZED")


def test_whoever_has_no_role_says_nothing(call_id, stranger):
    client = Client()
    client.force_login(stranger)
    client.post(f"/calls/{call_id}/label/", {"class": "transient", "code": "X"})
    client.post("/tools/points.query/not-found/", {"value": "empty"})
    assert classes()["a"] == ("hard", "UNAUTHORIZED")
    assert Tool.objects.get(name="points.query").not_found_is_empty is None


def test_a_tool_may_be_one_whose_not_found_is_an_answer(call_id):
    client = Client()
    client.force_login(factories.person("sam", "sre"))
    for word, value in (("empty", True), ("failure", False), ("rules", None)):
        answer = client.post("/tools/points.query/not-found/", {"value": word})
        assert answer.url == "/tools/points.query/"
        assert Tool.objects.get(name="points.query").not_found_is_empty is value
