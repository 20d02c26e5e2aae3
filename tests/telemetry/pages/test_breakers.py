"""The panel: every state of every live instance, silence never drawn as closed, commands with a reason and an end."""

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now
from rest_framework.test import APIClient

from telemetry import queries
from telemetry.pages import breakers
from tests import factories
from tests.telemetry.breakers import event, heartbeat, place


@pytest.fixture
def alive(db):
    """Send a heartbeat of one instance: `alive("sh-1", place(…))`."""
    agent = APIClient()
    agent.credentials(HTTP_AUTHORIZATION=f"Bearer {factories.agent_key(factories.agent('trip-booker'))}")

    def beat(instance, *places):
        told = {**heartbeat(*places), "sent_at": now().isoformat()}
        answer = agent.put(f"/api/v1/breakers/instances/{instance}", told, format="json")
        assert answer.status_code == 200, answer.content
        return answer

    return beat


@pytest.fixture
def sre_client(client, sre):
    client.force_login(sre)
    return client


def units(client):
    page = client.get("/breakers/").content.decode()
    drawn = re.findall(r'id="place-\d+".*?#b-(\w+)".*?<a href="/breakers/([\w-]+)/"', page, re.DOTALL)
    return {name: state for state, name in drawn}


def test_a_stranger_is_sent_to_the_door(client, db):
    assert client.get("/breakers/").url == "/signin/?next=/breakers/"


def test_each_breaker_stands_at_its_place_in_its_state(alive, sre_client):
    alive("sh-1", place("points-api", "open"), place("flight-api", "closed"))
    alive("sh-2", place("points-api", "open"))
    assert units(sre_client) == {"points-api": "open", "flight-api": "closed"}


def test_silence_is_drawn_as_silence(alive, sre_client, settings):
    alive("sh-1", place("points-api", "closed"))
    settings.BREAKER_STALE_AFTER_S = -1
    assert units(sre_client) == {"points-api": "stale"}


@pytest.mark.parametrize("verb", ["force_open", "disable", "reset", "release"])
def test_a_command_is_shown_as_sent_before_anybody_has_answered_it(alive, sre_client, verb):
    alive("sh-1", place("points-api"))
    told = {"verb": verb, "reason": "vendor is down", "minutes": "30"}
    page = sre_client.post("/breakers/points-api/command/", told, follow=True).content.decode()
    unit = page.split('id="board"')[1].split("</ol>")[0]
    assert "sent, not yet done everywhere" in unit
    assert "0 of 1" in unit


def test_an_sre_commands_and_the_lock_out_is_shown(alive, sre_client):
    alive("sh-1", place("points-api"))
    said = {"verb": "force_open", "instance": "", "reason": "Settlement window", "minutes": "30"}
    answer = sre_client.post("/breakers/points-api/command/", said, follow=True)
    page = answer.content.decode()
    assert "Settlement window" in page
    assert "0 of 1 confirmed" in page


@pytest.mark.parametrize(
    "wrong", [{"reason": ""}, {"minutes": ""}, {"minutes": "0"}, {"verb": "explode"}, {"instance": "nobody"}]
)
def test_a_command_without_reason_end_or_sense_is_refused_in_words(alive, sre_client, wrong):
    alive("sh-1", place("points-api"))
    said = {"verb": "force_open", "instance": "", "reason": "Settlement window", "minutes": "30", **wrong}
    answer = sre_client.post("/breakers/points-api/command/", said, follow=True)
    assert answer.status_code == 200
    assert 'class="notice bad"' in answer.content.decode()
    assert "lockout" not in answer.content.decode()


def test_an_operator_sees_the_panel_without_its_commands(alive, signed_in):
    alive("sh-1", place("points-api"))
    assert "command" not in signed_in.get("/breakers/").content.decode().replace("breakers", "")
    answer = signed_in.post(
        "/breakers/points-api/command/",
        {"verb": "disable", "reason": "because", "minutes": "5"},
        follow=True,
    )
    assert "Only an sre or an admin commands breakers." in answer.content.decode()


def test_a_mistyped_breaker_is_not_made(sre_client):
    assert sre_client.get("/breakers/points-ap/").status_code == 404
    said = {"verb": "force_open", "reason": "Settlement window", "minutes": "30"}
    sre_client.post("/breakers/points-ap/command/", said)
    assert sre_client.get("/breakers/points-ap/").status_code == 404


def test_a_large_panel_goes_on_on_the_next_page(alive, sre_client, monkeypatch):
    monkeypatch.setattr(breakers, "PANEL", 1)
    alive("sh-1", place("points-api", "open"), place("flight-api"))
    first = sre_client.get("/breakers/").content.decode()
    onward = re.search(r'rel="next" href="([^"]+)"', first)[1]
    second = sre_client.get(f"/breakers/{onward}").content.decode()
    shown = [
        re.findall(r'id="place-\d+".*?<a href="/breakers/([\w-]+)/"', page, re.DOTALL)
        for page in (first, second)
    ]
    assert sorted(shown) == [["flight-api"], ["points-api"]]


def told(*events):
    agent = APIClient()
    key = factories.agent_key(queries.agent_named("trip-booker"))
    agent.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    answer = agent.post("/api/v1/breakers/events", {"events": list(events)}, format="json")
    assert answer.json()["rejected"] == []


def test_what_never_came_is_named_and_so_is_what_followed_it(alive, sre_client):
    alive("sh-1", place("points-api"))
    told(event(seq=1, occurred_at=now().isoformat()), event(seq=5, from_state="open", to_state="closed"))
    page = sre_client.get("/breakers/points-api/").content.decode()
    assert "Events 2 to 4 of sh-1 never came." in page
    assert "events before it are missing" in page
    assert "9 of 10 failed" in page


def test_the_last_day_shows_when_it_was_open(alive, sre_client):
    alive("sh-1", place("points-api"))
    began = now() - timedelta(hours=6)
    shut = event(
        seq=2, from_state="open", to_state="closed", occurred_at=(began + timedelta(hours=3)).isoformat()
    )
    told(event(seq=1, occurred_at=began.isoformat()), shut)
    page = sre_client.get("/breakers/").content.decode()
    (x, width) = re.search(
        r'<rect x="([\d.]+)%" width="([\d.]+)%" height="6" class="f-b-open"', page
    ).groups()
    assert (float(x), float(width)) == (pytest.approx(75, abs=0.5), pytest.approx(12.5, abs=0.5))


def test_one_word_for_all_needs_the_quorum_of_the_settings(alive, sre_client, settings):
    for name, state in (("sh-1", "open"), ("sh-2", "open"), ("sh-3", "closed")):
        alive(name, place("points-api", state))
    assert units(sre_client) == {"points-api": "half"}
    settings.BREAKER_QUORUM_PERCENT = 60
    assert units(sre_client) == {"points-api": "open"}
    assert "from 60 % of the live instances" in sre_client.get("/breakers/points-api/").content.decode()


def test_every_command_says_who_gave_it_why_and_which_instance_did_what(alive, sre_client):
    alive("sh-1", place("points-api"))
    said = {"verb": "force_open", "instance": "", "reason": "Settlement <b>", "minutes": "30"}
    sre_client.post("/breakers/points-api/command/", said)
    assert "No instance has confirmed it." in sre_client.get("/breakers/points-api/").content.decode()
    agent = APIClient()
    key = factories.agent_key(queries.agent_named("trip-booker"))
    agent.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    (command,) = agent.get("/api/v1/breakers/commands?instance=sh-1&after=0").json()["commands"]
    ack = {
        "command_id": command["command_id"],
        "instance": "sh-1",
        "status": "refused",
        "detail": "pinned",
        "at": now().isoformat(),
    }
    assert agent.post("/api/v1/breakers/commands/ack", ack, format="json").status_code < 300
    page = sre_client.get("/breakers/points-api/").content.decode()
    assert re.search(r'sh-1 <b class="bad">refused</b>', page)
    assert "pinned" in page
    assert "Settlement &lt;b&gt;" in page


def test_an_older_page_of_the_history_is_one_click_away(alive, sre_client, monkeypatch):
    monkeypatch.setattr(breakers, "CHANGES", 1)
    alive("sh-1", place("points-api"))
    told(event(seq=1), event(seq=2, from_state="open", to_state="half_open", reason="wait_elapsed"))
    page = sre_client.get("/breakers/points-api/").content.decode()
    onward = re.search(r'rel="next" href="([^"]+)"', page)[1]
    assert "too many failed" in sre_client.get(f"/breakers/points-api/{onward}").content.decode()
    assert sre_client.get("/breakers/points-api/?after=nonsense").status_code == 404


def test_the_numbers_of_the_window_lead_to_the_instances_that_make_them(alive, sre_client):
    alive("sh-1", place("pay-api", window={"calls": 7, "failed": 3, "not_permitted": 2}))
    alive("sh-2", place("pay-api", window={"calls": 5, "failed": 1, "not_permitted": 0}))
    assert (
        '<a href="/breakers/pay-api/#instances">4 of 12 failed'
        in sre_client.get("/breakers/").content.decode()
    )
    page = sre_client.get("/breakers/pay-api/").content.decode()
    table = page[page.index('id="instances"') : page.index('id="commands"')]
    assert re.findall(r'<td class="num">(\d+)</td>', table) == [*"372150", "4", "12", "2"]
