"""The list of calls: filters that narrow, pages that follow on, nothing hostile that gets through."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from tests.telemetry.pages.made import HOSTILE, recent, refused


def shown(client, query=""):
    page = client.get(f"/calls/{query}").content.decode()
    return re.findall(r"#call-(\d+)", page)


def test_a_stranger_is_sent_to_the_door(client, db):
    answer = client.get("/calls/")
    assert (answer.status_code, answer.url) == (302, "/signin/?next=/calls/")


def test_every_call_is_listed_newest_first(report, signed_in):
    report(recent("a"), recent("b"))
    ids = shown(signed_in)
    assert len(ids) == 2
    assert ids == sorted(ids, reverse=True)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?tool=points.query", 1),
        ("?class=hard", 1),
        ("?class=nonsense", 0),
        ("?q=class:hard", 1),
        ("?q=tool:points*+-outcome:failed", 0),
        ("?q=agent:trip*&tool=points.query", 1),
        ("?q=%22token+expired%22", 1),
        ("?outcome=succeeded", 1),
        ("?code=UNAUTHORIZED", 1),
        ("?agent=trip-booker", 2),
        ("?agent=nobody", 0),
        ("?failed=1", 1),
        ("?window=15m", 2),
        ("?tool=%00&class=hard", 0),
    ],
)
def test_a_filter_narrows(report, signed_in, query, count):
    report(recent("a"), refused("b"))
    assert len(shown(signed_in, query)) == count


def test_a_bar_of_the_chart_leads_to_its_own_stretch(report, signed_in):
    report(recent("a"))
    later = (now() + timedelta(minutes=5)).isoformat().replace("+", "%2B")
    assert shown(signed_in, f"?from={later}") == []
    assert len(shown(signed_in, f"?to={later}")) == 1


def test_older_calls_are_on_the_next_page(report, signed_in):
    report(*[recent(f"c-{n}") for n in range(61)])
    first = signed_in.get("/calls/?tool=flight.search").content.decode()
    onward = re.search(r'rel="next" href="([^"]+)"', first)[1].replace("&amp;", "&")
    assert len(shown(signed_in)) == 60
    assert len(shown(signed_in, onward)) == 1


def test_a_cursor_that_was_made_up_leads_nowhere(signed_in):
    assert signed_in.get("/calls/?after=nonsense").status_code == 404


def test_hostile_text_is_text(report, signed_in):
    report(refused("b", tool=HOSTILE))
    page = signed_in.get("/calls/").content.decode()
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page


def test_the_list_costs_the_same_at_one_and_at_three(report, signed_in):
    report(recent("a"))
    with CaptureQueriesContext(
        connection,
    ) as one:
        signed_in.get("/calls/")
    report(recent("b"), refused("c"))
    with CaptureQueriesContext(connection) as three:
        signed_in.get("/calls/")
    assert len(three) == len(one)


def test_a_search_that_does_not_read_says_which_part_and_keeps_the_text(report, signed_in):
    report(recent("a"))
    page = signed_in.get("/calls/?q=class:hrd+ms:%3E5").content.decode()
    assert shown(signed_in, "?q=class:hrd") == []
    assert '<code class="wrap">class:hrd</code>' in page
    assert "Did you mean" in page
    assert 'value="class:hrd ms:&gt;5"' in page


def test_a_near_miss_is_one_click_from_what_was_meant(signed_in):
    page = signed_in.get("/calls/?q=tool:pay*+ms%3E500").content.decode()
    assert 'href="/calls/?q=tool%3Apay%2A+ms%3A%3E500"><code>ms:&gt;500</code></a>?' in page


def test_a_click_adds_a_value_to_the_text_and_a_second_takes_it_out(signed_in):
    page = signed_in.get("/calls/?q=tool:x").content.decode()
    assert "?q=tool%3Ax+class%3Ahard" in page
    page = signed_in.get("/calls/?q=tool:x+class:hard").content.decode()
    assert re.search(r'href="/calls/\?q=tool%3Ax" aria-current="true"', page)


def test_words_of_a_row_narrow_to_their_like(report, signed_in):
    report(refused("b", tool=HOSTILE))
    page = signed_in.get("/calls/?q=since:2h").content.decode()
    assert "/calls/?q=since%3A2h+code%3AUNAUTHORIZED" in page
