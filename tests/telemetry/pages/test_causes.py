"""Causes: what is behind a class, why failures are one, and rules whose effect is shown before they are made."""

import re

import pytest
from django.test import Client
from django.utils.timezone import now

from telemetry.models import Fingerprint, FingerprintRule
from telemetry.operations.intake import submission
from telemetry.operations.known import what_is_known
from telemetry.operations.store import store
from tests.telemetry.calls import body
from tests.telemetry.pages.made import HOSTILE, recent

pytestmark = pytest.mark.django_db


def failed(call_id, message, **changes):
    failure = {"class": "hard", "code": "GONE", "message": message}
    return recent(call_id, outcome="failed", failure=failure, **changes)


@pytest.fixture
def as_sre(sre):
    client = Client()
    client.force_login(sre)
    return client


@pytest.fixture
def reported(report):
    report(
        failed("a", f"seat 12A is gone {HOSTILE}"),
        failed("b", f"seat 9C is gone {HOSTILE}"),
        failed("c", "order 17 was closed"),
        failed("d", "order 18 was closed", tool="order.get"),
    )


def page(client, path, **asked):
    answer = client.get(path, asked)
    assert answer.status_code == 200
    return answer.content.decode()


def address(text):
    return f"/causes/{Fingerprint.objects.get(template__contains=text, tool__name='flight.search').pk:016x}/"


def test_nothing_failed_and_it_says_so(signed_in):
    assert "Nothing failed in this window." in page(signed_in, "/causes/")


def test_causes_are_listed_by_how_many_calls_they_failed(reported, signed_in):
    shown = page(signed_in, "/causes/")
    assert shown.index("is gone") < shown.index("was closed")
    assert HOSTILE not in shown
    assert "was closed" not in page(signed_in, "/causes/", **{"class": "transient"})
    assert page(signed_in, "/causes/", tool="order.get").count('href="/causes/0') <= 2


def test_a_cause_shows_what_was_taken_out_of_its_message_and_for_what(reported, signed_in):
    shown = page(signed_in, address("is gone"))
    assert re.search(r"<ruby>9C<rp>\(</rp><rt>id</rt>", shown)
    assert "No rule of a person says otherwise." in shown
    assert HOSTILE not in shown
    assert "trip-booker" in shown


@pytest.mark.parametrize(
    "path", ["/causes/nonsense/", "/causes/0/", "/causes/ffffffffffffffff/", "/causes/7/"]
)
def test_a_cause_that_nobody_met_is_not_there(signed_in, path):
    assert signed_in.get(path).status_code == 404


def test_a_rule_is_shown_before_it_is_made_and_only_then_made(reported, as_sre):
    words = {
        "contains": "was closed",
        "title": "closed orders",
        "tool": "",
        "class": "empty",
        "code": "closed",
    }
    shown = page(as_sre, address("was closed"), **words)
    assert "It takes in 2 of the newest 4 failures" in shown
    assert FingerprintRule.objects.count() == 0
    as_sre.post("/causes/rules/", words)
    rule = FingerprintRule.objects.get()
    assert (rule.contains, rule.failure_class, rule.code, rule.made_by) == (
        "was closed",
        "empty",
        "CLOSED",
        "sam",
    )
    listed = page(as_sre, "/causes/rules/")
    assert "closed orders" in listed
    assert "under way" in listed
    as_sre.post(f"/causes/rules/{rule.pk}/drop/")
    assert FingerprintRule.objects.count() == 0


def test_only_who_may_makes_rules(reported, signed_in):
    assert "An sre or an admin can make a rule" in page(signed_in, address("is gone"))
    signed_in.post("/causes/rules/", {"contains": "was closed", "title": "x"})
    assert FingerprintRule.objects.count() == 0


def test_a_rule_that_looks_for_nothing_takes_in_nothing(reported, as_sre):
    assert "None of them holds this text." in page(as_sre, "/causes/rules/", contains="no such text")
    as_sre.post("/causes/rules/", {"contains": " ", "title": "x"})
    assert FingerprintRule.objects.count() == 0


def test_a_cause_that_a_rule_made_names_the_rule_and_who_made_it(report, as_sre):
    as_sre.post("/causes/rules/", {"contains": "was closed", "title": "closed orders"})
    said = body(failed("c", "order 17 was closed"))
    store([submission(said, agent_id=1, key_id=1, at=now(), knowledge=what_is_known())])
    assert "A rule of sam says so" in page(as_sre, address("closed orders"))
