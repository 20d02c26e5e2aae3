"""Agents: keys are shown once, only an admin makes or revokes them, and the books are open."""

import re

import pytest
from django.utils import timezone

from telemetry.domain.buckets import minute_of
from telemetry.models import Agent, AgentKey, Ledger
from telemetry.pages import agents as pages
from telemetry.queries import agents
from telemetry.queries.owners import agent_webhook
from tests import factories
from tests.factories import NOON
from tests.telemetry.pages.made import recent


@pytest.fixture
def admin(client, db):
    client.force_login(factories.person("ada", "admin"))
    return client


def key_in(page):
    found = re.search(r"sb_\w{8}_\w{32}", page)
    return found[0] if found else None


def test_a_stranger_is_sent_to_the_door(client, db):
    assert client.get("/agents/").url == "/signin/?next=/agents/"


def test_an_admin_makes_an_agent_and_sees_its_key_once(admin):
    made = admin.post("/agents/", {"name": "trip-booker"}).content.decode()
    key = key_in(made)
    assert key
    assert key not in admin.get("/agents/").content.decode()
    assert admin.get("/api/v1/calls/x", HTTP_AUTHORIZATION=f"Bearer {key}").status_code == 404


def test_a_name_that_is_taken_is_refused_in_words(admin):
    admin.post("/agents/", {"name": "trip-booker"})
    page = admin.post("/agents/", {"name": "trip-booker"}).content.decode()
    assert "There is an agent called" in page
    assert key_in(page) is None


def test_an_operator_may_look_but_makes_no_key(signed_in):
    page = signed_in.post("/agents/", {"name": "sneaky"}).content.decode()
    assert "Only an admin makes and revokes agents" in page
    assert agents(at=NOON) == ()


def test_a_second_key_and_the_end_of_the_first(admin):
    factories.agent_key(factories.agent("trip-booker"))
    page = admin.post("/agents/trip-booker/", {"label": "staging"}).content.decode()
    second = key_in(page)
    first = re.findall(r"/agents/trip-booker/keys/(\d+)/revoke/", page)
    admin.post(f"/agents/trip-booker/keys/{min(map(int, first))}/revoke/")
    assert admin.get("/api/v1/calls/x", HTTP_AUTHORIZATION=f"Bearer {second}").status_code == 404
    assert "revoked" in admin.get("/agents/trip-booker/").content.decode()


def test_an_operator_revokes_nothing(signed_in):
    key = factories.agent_key(factories.agent("trip-booker"))
    page = signed_in.get("/agents/trip-booker/").content.decode()
    assert "revoke/" not in page
    (row,) = agents(at=NOON)
    signed_in.post(f"/agents/trip-booker/keys/{row.keys[0].id}/revoke/")
    assert signed_in.get("/api/v1/calls/x", HTTP_AUTHORIZATION=f"Bearer {key}").status_code == 404


def test_the_books_of_an_agent_are_on_its_page(report, signed_in):
    report(recent("a"), recent("b"))
    report(recent("a"))
    page = signed_in.get("/agents/trip-booker/").content.decode()
    row = re.search(r'<tr data-id="\d+".*?</tr>', page, re.DOTALL)[0]
    assert re.findall(r'<td class="num[^"]*">(?:<a [^>]*>)?(\d+)(?:</a>)?</td>', row) == [
        "3",
        "2",
        "0",
        "1",
        "0",
    ]


def test_every_sum_of_the_books_leads_to_the_minutes_that_make_it(report, signed_in):
    report(recent("a"), recent("b"))
    report(recent("a"))
    page = signed_in.get("/agents/trip-booker/").content.decode()
    for sum_of, n in (("stored", 2), ("duplicate", 1)):
        assert f'<a href="/agents/trip-booker/?books={sum_of}#minutes">{n}</a>' in page
        behind = signed_in.get(f"/agents/trip-booker/?books={sum_of}").context["ledger"].rows
        assert sum(getattr(minute.books, sum_of) for minute in behind) == n
    assert (
        "No minute of the last 24 h has any."
        in signed_in.get("/agents/trip-booker/?books=rejected").content.decode()
    )


def test_minutes_come_a_page_at_a_time_the_newest_first(signed_in, monkeypatch):
    monkeypatch.setattr(pages, "MINUTES", 2)
    key = factories.agent_key(factories.agent("trip-booker"))
    key_id = AgentKey.objects.get(prefix=key.removeprefix("sb_").split("_")[0]).pk
    last = minute_of(timezone.now())
    for ago in range(5):
        Ledger.objects.create(key_id=key_id, minute=last - ago, what="received", n=ago + 1)
    seen, address = [], "/agents/trip-booker/"
    for _page in range(3):
        ledger = signed_in.get(address).context["ledger"]
        seen += [minute.books.received for minute in ledger.rows]
        address = f"/agents/trip-booker/?after={ledger.after}"
    assert seen == [1, 2, 3, 4, 5]


def test_an_admin_sets_the_webhook_and_sees_its_secret_once(admin):
    factories.agent("trip-booker")
    address = "https://agent.example/decisions"
    page = admin.post("/agents/trip-booker/", {"webhook": address}).content.decode()
    hook = agent_webhook(agent_id=str(Agent.objects.get().pk))
    assert (hook.url, hook.secret in page) == (address, True)
    later = admin.get("/agents/trip-booker/").content.decode()
    assert (address in later, hook.secret in later) == (True, False)
    admin.post("/agents/trip-booker/", {"webhook": ""})
    assert agent_webhook(agent_id=str(Agent.objects.get().pk)) is None


def test_an_address_that_leads_inside_is_refused_at_its_field(admin):
    factories.agent("trip-booker")
    page = admin.post("/agents/trip-booker/", {"webhook": "http://127.0.0.1/x"}).content.decode()
    assert 'id="hook-e"' in page
    assert 'value="http://127.0.0.1/x"' in page
    assert Agent.objects.get().webhook_url == ""


def test_an_operator_sets_no_webhook_and_is_not_told_where_it_is(signed_in):
    factories.agent("trip-booker")
    Agent.objects.update(webhook_url="https://agent.example/secret-path")
    page = signed_in.post("/agents/trip-booker/", {"webhook": "https://evil.example/"}).content.decode()
    assert "secret-path" not in page
    assert Agent.objects.get().webhook_url == "https://agent.example/secret-path"


def test_an_agent_that_is_not_there_is_not_found(signed_in):
    assert signed_in.get("/agents/nobody/").status_code == 404


def test_looking_changes_nothing(signed_in):
    factories.agent("trip-booker")
    assert signed_in.get("/agents/trip-booker/keys/1/revoke/").status_code == 405


def test_many_agents_go_on_on_the_next_page(signed_in, monkeypatch):
    monkeypatch.setattr(pages, "PAGE", 1)
    factories.agent("trip-booker")
    factories.agent("group-desk")
    first = signed_in.get("/agents/").content.decode()
    onward = re.search(r'rel="next" href="([^"]+)"', first)[1]
    second = signed_in.get(f"/agents/{onward}").content.decode()
    assert [re.findall(r'href="/agents/([\w-]+)/"', page) for page in (first, second)] == [
        ["group-desk"],
        ["trip-booker"],
    ]
