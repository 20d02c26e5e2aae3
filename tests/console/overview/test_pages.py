"""The overview: empty at first, then every figure with the way to its rows."""

import html
import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.telemetry.pages.made import REFUSED, recent, refused


def figure(page):
    return json.loads(re.search(r'id="figure-failed" type="application/json">(.+?)</script>', page)[1])


def test_a_stranger_is_sent_to_the_door(client, db):
    assert client.get("/").url == "/signin/?next=/"


def test_before_the_first_call_it_says_how_to_connect(signed_in):
    assert "Connect the first line" in signed_in.get("/").content.decode()


def test_calls_and_failures_are_counted_and_lead_to_their_rows(report, signed_in):
    report(recent("a"), recent("b"), refused("c"))
    page = signed_in.get("/?window=15m").content.decode()
    assert re.search(r'href="/calls/\?window=15m">3</a>', page)
    assert {bar["name"]: sum(bar["y"]) for bar in figure(page)["data"]}["hard"] == 1
    assert 'href="/calls/?window=15m&amp;class=hard"' in page


ENDS: tuple[dict[str, object], ...] = (
    {},
    {"outcome": "recovered", "failure": REFUSED, "recovery": {"by": "retry", "latency_ms": 5}},
    {"outcome": "recovered", "failure": REFUSED, "recovery": {"by": "human", "latency_ms": 5}},
    {"outcome": "degraded", "failure": REFUSED},
    {"outcome": "failed", "failure": REFUSED},
    {"outcome": "escalated", "failure": {"class": "internal", "code": "CRASH"}},
    {"outcome": "deferred"},
    {"outcome": "skipped"},
)


def numbers(page):
    """Every number that leads to calls: where it leads, and what it says."""
    found = re.findall(r'href="(/calls/\?[^"]+)"[^>]*>(?:[^<]|<(?!/a>))*?([\d,]+)(?:</span>)?</a>', page)
    return [(html.unescape(address), int(n.replace(",", ""))) for address, n in found]


@pytest.mark.parametrize(
    "address", ["/?window=15m", "/tools/?window=15m", "/tools/flight.search/?window=15m"]
)
def test_behind_every_number_of_calls_stand_exactly_so_many(report, signed_in, address):
    report(*[recent(f"c{n}", **end) for n, end in enumerate((*ENDS, *ENDS[4:6]))])
    told = numbers(signed_in.get(address).content.decode())
    behind = [(to, signed_in.get(to).content.decode().count("data-row")) for to, _n in told]
    assert len(told) >= 2
    assert behind == told


def test_behind_a_share_stand_the_calls_it_is_a_share_of(report, signed_in):
    report(*[recent(f"c{n}", **end) for n, end in enumerate(ENDS)])
    page = signed_in.get("/?window=15m")
    totals = page.context["facts"].totals
    shares = re.findall(r'class="v" href="(/calls/[^"]+)">[\d.]+[^<]*%</a>', page.content.decode())
    behind = [signed_in.get(html.unescape(to)).content.decode().count("data-row") for to in shares]
    assert behind == [totals.first_time.part, totals.in_the_end.part, totals.person.part]


def test_a_window_that_is_none_is_an_hour(report, signed_in):
    report(recent("a"))
    assert "/calls/?window=1h" in signed_in.get("/?window=%00").content.decode()


def test_only_the_parts_are_sent_when_only_they_are_asked_for(report, signed_in):
    report(recent("a"))
    parts = signed_in.get("/", headers={"X-Parts": "1"}).content.decode()
    assert "<script src" not in parts
    assert 'id="figure-failed"' in parts


def test_it_costs_the_same_at_one_and_at_three(report, signed_in):
    report(recent("a"))
    signed_in.get("/")
    with CaptureQueriesContext(connection) as one:
        signed_in.get("/")
    report(recent("b"), refused("c"), refused("d", tool="seat.select"))
    with CaptureQueriesContext(connection) as three:
        signed_in.get("/")
    assert len(three) == len(one)
