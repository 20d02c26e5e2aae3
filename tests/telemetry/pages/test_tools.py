"""Tools: a table by what was lost, and one tool in full."""

import json
import re

import pytest
from django.urls import reverse
from django.utils.timezone import now

from console.kit.actor import SYSTEM
from telemetry.operations import mark_deploy
from telemetry.pages import tools
from tests.telemetry.pages.made import HOSTILE, recent, refused


def test_a_stranger_is_sent_to_the_door(client, db):
    for address in ("/tools/", "/tools/flight.search/"):
        assert client.get(address).url == f"/signin/?next={address}"


def test_the_tool_that_lost_most_comes_first(report, signed_in):
    report(recent("a"), recent("b"), refused("c"))
    page = signed_in.get("/tools/").content.decode()
    assert re.findall(r'data-id="([\w.]+)"', page) == ["points.query", "flight.search"]


def test_a_long_table_goes_on_on_the_next_page(report, signed_in, monkeypatch):
    monkeypatch.setattr(tools, "PAGE", 1)
    report(recent("a"), refused("b"))
    first = signed_in.get("/tools/").content.decode()
    onward = re.search(r'rel="next" href="([^"]+)"', first)[1].replace("&amp;", "&")
    second = signed_in.get(f"/tools/{onward}").content.decode()
    rows = [re.findall(r'data-id="([\w.]+)"', page) for page in (first, second)]
    assert rows == [["points.query"], ["flight.search"]]
    assert 'rel="next"' not in second
    assert signed_in.get("/tools/?after=nonsense").status_code == 404


def test_a_tool_says_its_codes_and_leads_to_their_calls(report, signed_in):
    report(refused("a"), refused("b"), recent("c", tool="points.query"))
    page = signed_in.get("/tools/points.query/?window=15m").content.decode()
    assert "tool=points.query&amp;class=hard&amp;code=UNAUTHORIZED" in page
    figure = json.loads(re.search(r'id="figure-failed" type="application/json">(.+?)</script>', page)[1])
    assert {bar["name"]: sum(bar["y"]) for bar in figure["data"]}["hard"] == 2


def test_a_tool_that_nobody_called_is_not_there(signed_in):
    assert signed_in.get("/tools/never.called/").status_code == 404


def test_a_hostile_name_is_text_even_inside_the_figure(report, signed_in):
    report(refused("a", tool=f"x{HOSTILE}/y"))
    page = signed_in.get("/tools/x%3Cscript%3Ealert(1)%3C/script%3E/y/").content.decode()
    assert HOSTILE not in page
    assert "x&lt;script&gt;" in page


@pytest.mark.parametrize(
    "name", ["a\nb\r\nSet-Cookie: x=1", "/a", "a/", "//", "a b", "%2e%00", "a?b#c", "\u2028", "\\", "🧨"]
)
def test_whatever_a_tool_is_called_every_page_that_names_it_leads_to_its_own(report, signed_in, name):
    report(refused("a", tool=name))
    address = reverse("tool", args=[name])
    for page in ("/", "/tools/", "/calls/", "/agents/", address):
        assert signed_in.get(page).status_code == 200
    assert address.replace("&", "&amp;") in signed_in.get("/tools/").content.decode()


def test_what_stood_beside_it_shares_the_axis_of_the_failures(report, signed_in):
    report(refused("a"))
    mark_deploy(name="points-api", version=f"2 {HOSTILE}", by=SYSTEM, at=now())
    page = signed_in.get("/tools/points.query/?window=15m").content.decode()
    figure = json.loads(re.search(r'id="figure-failed" type="application/json">(.+?)</script>', page)[1])
    assert [shape["type"] for shape in figure["layout"]["shapes"]] == ["line"]
    assert page.count('class="ev"') == 4
    assert HOSTILE not in page
    assert "Say so" not in page
