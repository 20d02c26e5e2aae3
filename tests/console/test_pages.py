"""Pages that belong to no app or to both: going anywhere, the audit, the API, errors in the house's own words."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.test import Client

from console import pages
from console.audit.queries import entries
from tests import factories


@pytest.fixture
def signed_in(client, operator):
    client.force_login(operator)
    return client


@pytest.mark.parametrize("address", ["/go/", "/audit/", "/api/", "/styleguide/"])
def test_a_stranger_is_sent_to_the_door(client, db, address):
    assert client.get(address).url == f"/signin/?next={address}"


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("C-4182", "/cases/C-4182/"),
        ("c4182", "/cases/C-4182/"),
        ("4BF92F3577B34DA6A3CE929D0E0E4736", "/traces/4bf92f3577b34da6a3ce929d0e0e4736/"),
        ("breakers", "/breakers/"),
        ("points.query & more", "/calls/?tool=points.query+%26+more"),
        ("", "/calls/"),
        ("https://evil.example/", "/calls/?tool=https%3A%2F%2Fevil.example%2F"),
    ],
)
def test_going_anywhere_stays_in_the_house(signed_in, asked, place):
    assert signed_in.get("/go/", {"to": asked}).url == place


def test_an_agent_is_found_by_its_name(signed_in):
    factories.agent("trip-booker")
    assert signed_in.get("/go/", {"to": "trip-booker"}).url == "/agents/trip-booker/"


def test_the_audit_shows_who_did_what_and_narrows_to_one_subject(signed_in):
    agent = factories.agent("trip-booker")
    factories.agent_key(agent)
    factories.agent("group-desk")
    page = signed_in.get("/audit/").content.decode()
    assert page.count("<tr data-row") == 3
    narrowed = signed_in.get("/audit/", {"subject": f"agent:{agent}"}).content.decode()
    assert narrowed.count("<tr data-row") == 2


def test_a_long_audit_goes_on_on_the_next_page(signed_in):
    for n in range(101):
        factories.agent(f"a-{n}")
    first = signed_in.get("/audit/").content.decode()
    assert first.count("<tr data-row") == 100
    second = signed_in.get("/audit/", {"after": entries(limit=100).after}).content.decode()
    assert second.count("<tr data-row") == 1


def test_a_made_up_cursor_leads_nowhere(signed_in):
    assert signed_in.get("/audit/?after=nonsense").status_code == 404


def test_the_api_page_names_every_address_of_the_document(signed_in):
    page = signed_in.get("/api/").content.decode()
    for path in ("/api/v1/calls", "/api/v1/escalations/{escalation_id}/decision", "/api/v1/breakers/events"):
        assert path in page


def test_what_is_not_there_is_said_in_the_houses_words(signed_in):
    answer = signed_in.get("/nowhere/")
    assert answer.status_code == 404
    assert 'href="/"' in answer.content.decode()


@pytest.mark.parametrize("address", ["/api/v1/nothing", "/api/v1/escalations/x/unheard-of"])
def test_a_program_is_told_of_a_wrong_address_in_the_apis_shape(client, db, address):
    answer = client.get(address)
    assert answer.status_code == 404
    assert answer.json()["code"] == "NOT_FOUND"
    assert "/api/v1/schema" in answer.json()["detail"]


@pytest.mark.parametrize("view", [pages.misread, pages.missing, pages.forbidden])
def test_every_refusal_of_the_house_is_a_page_without_a_question_to_the_database(rf, view):
    request = rf.get("/x/")
    request.user = AnonymousUser()
    answer = view(request, ValueError("x"))
    assert answer.status_code in {400, 403, 404}
    assert "<h1>" in answer.content.decode()


def test_whoever_comes_by_another_name_is_told_which_setting_has_the_names(client):
    answer = client.get("/", headers={"host": "board.example"})
    assert answer.status_code == 400
    assert "ALLOWED_HOSTS" in answer.content.decode()


def test_a_broken_page_asks_the_database_for_nothing(rf):
    request = rf.get("/x/")
    request.user = AnonymousUser()
    answer = pages.broken(request)
    assert answer.status_code == 500
    assert "This page broke" in answer.content.decode()


def test_a_busy_database_is_a_page_that_says_when_to_come_back(operator, monkeypatch):
    def locked(**_):
        raise OperationalError("database is locked")

    monkeypatch.setattr(pages, "entries", locked)
    browser = Client(raise_request_exception=False)
    browser.force_login(operator)
    answer = browser.get("/audit/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert "The database is busy" in answer.content.decode()


def test_a_form_of_an_earlier_session_is_told_so(operator):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(operator)
    answer = browser.post("/account/", {"language": "en"})
    assert answer.status_code == 403
    assert "belongs to an earlier session" in answer.content.decode()


def test_when_the_api_itself_breaks_it_still_answers_in_the_one_shape(rf):
    answer = pages.broken(rf.post("/api/v1/calls"))
    assert answer.status_code == 500
    told = json.loads(answer.content)
    assert (told["code"], told["errors"], set(told)) == ("INTERNAL", [], {"code", "detail", "errors"})
