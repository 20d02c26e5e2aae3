"""A trace: every call on one axis, each in full, hostile text as text, and the cases it led to."""

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now

from tests import factories
from tests.escalations import made as cases
from tests.telemetry.breakers import event, heartbeat, place
from tests.telemetry.pages.made import HOSTILE, recent, refused

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def attempts(signed_in_report):
    began = recent("x")["started_at"]
    return [
        {
            "n": 1,
            "started_at": began,
            "duration_ms": 100,
            "wait_ms": 0,
            "http_status": 503,
            "class": "transient",
        },
        {"n": 2, "started_at": began, "duration_ms": 100, "wait_ms": 1000, "http_status": 200},
    ]


def test_a_stranger_is_sent_to_the_door(client, db):
    assert client.get(f"/traces/{TRACE}/").url == f"/signin/?next=/traces/{TRACE}/"


def test_every_call_has_a_lane_and_its_attempts(report, signed_in):
    tried = attempts(report)
    report(
        recent("a", attempts=tried, outcome="recovered", recovery={"by": "retry", "latency_ms": 1100}),
        refused("b"),
    )
    page = signed_in.get(f"/traces/{TRACE}/").content.decode()
    assert len(re.findall(r'data-id="lane-\d+"', page)) == 2
    assert 'class="f-transient"' in page
    assert 'class="wait"' in page
    assert ">503</text>" in page
    assert len(re.findall(r'data-id="try-\d+-\d"', page)) == 2
    assert "waited" in page


def test_a_call_stands_under_the_call_that_made_it(report, signed_in):
    report(
        recent("a", span_id="1"),
        recent("b", span_id="2", parent_span_id="1"),
        recent("c", parent_span_id="2"),
    )
    page = signed_in.get(f"/traces/{TRACE}/").content.decode()
    assert sorted(re.findall(r'<td class="words indent-(\d)">', page)) == ["0", "1", "2"]


def test_what_the_model_reasoned_stands_once_before_its_calls(report, signed_in):
    report(recent("a", reasoning="First the points."), recent("b", reasoning="First the points."))
    page = signed_in.get(f"/traces/{TRACE}/").content.decode()
    assert len(re.findall(r'data-id="model-\d+"', page)) == 1


def test_a_breaker_that_changed_meanwhile_stands_between_the_calls(report, signed_in, as_agent):
    report(recent("a", dependency="points-api"))
    client = as_agent(factories.agent("watcher"))
    client.put("/api/v1/breakers/instances/sh-1", heartbeat(place()), format="json")
    told = event(seq=1, occurred_at=recent("x")["started_at"])
    other = event(seq=1, breaker="pay-api", occurred_at=recent("x")["started_at"])
    client.post("/api/v1/breakers/events", {"events": [told, other]}, format="json")
    page = signed_in.get(f"/traces/{TRACE}/").content.decode()
    assert 'href="/breakers/points-api/"' in page
    assert "/breakers/pay-api/" not in page


def test_a_breaker_that_changed_later_stands_at_the_edge_and_the_calls_keep_their_room(
    report, signed_in, as_agent
):
    began = now() - timedelta(seconds=20)
    report(recent("a", dependency="points-api", started_at=began, duration_ms=500))
    client = as_agent(factories.agent("watcher"))
    client.put("/api/v1/breakers/instances/sh-1", heartbeat(place()), format="json")
    told = event(seq=1, occurred_at=(began + timedelta(seconds=12.5)).isoformat())
    client.post("/api/v1/breakers/events", {"events": [told]}, format="json")
    page = signed_in.get(f"/traces/{TRACE}/").content.decode()
    lane = page.split('data-id="lane-')[1].split("</tr>")[0]
    assert re.search(r"<rect x=\"0\.00%\" y=\"5\" width=\"9\d\.\d\d%\"", lane)
    assert re.search(r'data-id="breaker-0".*?>12\s?s after</text>', page, re.DOTALL)


def test_a_case_is_a_lane_and_a_long_wait_for_a_person_breaks_the_axis(report, signed_in):
    report(refused("b"))
    case = cases.opened()
    page = signed_in.get(f"/traces/{TRACE}/").content.decode()
    assert f'data-id="case-{case.ref}"' in page
    assert "k-lamp" in page
    assert "the axis is broken" in page


def test_what_the_tool_wrote_is_quoted_and_never_markup(report, signed_in):
    report(refused("b", reasoning=f"because {HOSTILE}", args={HOSTILE: HOSTILE}))
    page = signed_in.get(f"/traces/{TRACE}/").content.decode()
    assert HOSTILE not in page
    assert page.count("not verified") == 2


def test_the_case_that_it_led_to_is_one_click_away(report, signed_in):
    report(refused("b"))
    opened = cases.opened()
    page = signed_in.get(f"/traces/{TRACE}/").content.decode()
    assert f"/cases/{opened.ref}/" in page


def test_a_trace_that_is_not_there_is_not_found(signed_in):
    assert signed_in.get("/traces/00000000000000000000000000000001/").status_code == 404


@pytest.mark.parametrize(
    "time",
    [
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "1700000000",
        "2026-11-30 12:00:00Z",
        "2026-11-30T12:00Z",
    ],
)
def test_whatever_time_a_call_and_its_attempts_tell_every_page_shows_them(report, signed_in, operator, time):
    operator.time_zone = "Asia/Shanghai"
    operator.save()
    signed_in.force_login(operator)
    tried = [{"n": 1, "started_at": time, "duration_ms": -1e13, "wait_ms": 1e13, "class": "transient"}]
    answer = report({**refused("a", attempts=tried, duration_ms=1e13), "started_at": time}, refused("b"))
    assert answer["accepted"] == 2
    for page in ("/", "/calls/?window=7d", "/tools/points.query/", f"/traces/{TRACE}/"):
        assert signed_in.get(page).status_code == 200
