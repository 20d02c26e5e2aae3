"""Spikes: open first, explained, answered by those who may, with everybody's name in the history."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now

from console.audit.models import AuditEntry
from console.kit.actor import SYSTEM
from telemetry.domain.buckets import minute_of
from telemetry.models import Mute, Spike, Tool
from telemetry.operations import mark_deploy, watch_one_minute
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from telemetry.queries import mutes, spike_page
from telemetry.queries.watching import beside
from telemetry.vocabulary import SpikeKind
from tests import factories
from tests.telemetry.calls import body, call
from tests.telemetry.pages.made import HOSTILE

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
TOOL = "points.query"


def reported(n, failed, *, agent, at, watched=True):
    failure = {"class": "hard", "code": "UNAUTHORIZED", "message": f"token expired {HOSTILE}"}
    bad = {"outcome": "failed", "failure": failure}
    said = [
        call(f"{n}-{k}", tool=TOOL, started_at=at, duration_ms=1, **(bad if k < failed else {}))
        for k in range(20)
    ]
    store([submission(body(*said), agent_id=agent, key_id=1, at=at, knowledge=Knowledge())])
    while watched and watch_one_minute(at=at + MINUTE):
        pass


@pytest.fixture
def risen(db):
    """Ten minutes of calls that end with a rise, a deploy before it, and what the watch has made of it."""
    agent = factories.agent("trip-booker")
    start = now().replace(second=20, microsecond=0) - 10 * MINUTE
    mark_deploy(name="trip-booker", version="3.8.1", by=SYSTEM, at=start + 3 * MINUTE)
    for n in range(10):
        reported(n, 12 if n >= 4 else 0, agent=agent, at=start + n * MINUTE, watched=False)
    opened = (start + 6 * MINUTE).replace(second=0)
    tool = Tool.objects.get(name=TOOL)
    test = {
        "window": 5,
        "calls": 100,
        "observed": 24,
        "expected": 0.5,
        "ratio": 48.0,
        "probability": 1e-6,
        "age": 120,
    }
    return Spike.objects.create(
        kind=SpikeKind.RATE,
        tool_id=tool.pk,
        subject="hard",
        opened_at=opened,
        test=test,
        explanation=beside(tool.pk, "hard", minute=minute_of(opened) - 1, at=opened),
    )


@pytest.fixture
def as_sre(sre):
    client = Client()
    client.force_login(sre)
    return client


def page(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_empty_list_says_that_all_is_as_usual(signed_in):
    assert "Nothing rises beyond what traffic explains." in page(signed_in, "/spikes/")


def test_what_is_open_comes_first_and_the_rail_counts_it(risen, signed_in):
    shown = page(signed_in, "/spikes/")
    assert f'href="/spikes/{risen.pk}/"' in shown.split('id="closed"')[0]
    assert "hard of <bdi>points.query</bdi>" in shown
    assert re.search(r'href="/spikes/"[^>]*>Spikes<span class="n lit">1<', shown)
    assert HOSTILE not in shown


def test_one_says_what_was_seen_and_expected_and_what_stood_beside_it(risen, signed_in):
    shown = page(signed_in, f"/spikes/{risen.pk}/")
    for word in (
        "Incident.",
        "UNAUTHORIZED",
        "trip-booker",
        "3.8.1",
        "of calls is usual",
        "Nobody has acknowledged",
    ):
        assert word in shown
    assert HOSTILE not in shown
    assert 'id="figure-failed"' in shown


def test_its_rate_is_drawn_minute_by_minute(risen):
    told = spike_page(spike_id=risen.pk, at=now())
    assert max(rate.value or 0 for rate in told.series.rates) == 12 / 20
    assert told.since_opened.value == 12 / 20
    assert [band.of for band in told.beside.bands] == ["hard"]
    assert [(mark.kind, mark.word) for mark in told.beside.marks] == [("deploy", "3.8.1")]


def test_only_who_may_answers(risen, signed_in):
    assert "Acknowledge" not in page(signed_in, f"/spikes/{risen.pk}/")
    signed_in.post(f"/spikes/{risen.pk}/acknowledge/")
    signed_in.post("/spikes/mutes/", {"tool": TOOL, "subject": "hard", "hours": "4", "reason": "known"})
    risen.refresh_from_db()
    assert (risen.acknowledged_at, Mute.objects.count()) == (None, 0)


def test_an_acknowledgement_and_a_mute_stand_in_the_history_with_their_names(risen, as_sre):
    here = f"/spikes/{risen.pk}/"
    answer = as_sre.post(f"{here}acknowledge/", {"next": here})
    assert (answer.status_code, answer.url) == (302, here)
    as_sre.post("/spikes/mutes/", {"tool": TOOL, "subject": "hard", "hours": "4", "reason": "vendor told"})
    shown = page(as_sre, here)
    assert "sam acknowledged it" in shown
    assert "sam muted it" in shown
    assert "vendor told" in shown
    (mute,) = mutes(at=now())
    assert timedelta(hours=3.9) < mute.until - now() < timedelta(hours=4)
    as_sre.post(f"/spikes/mutes/{mute.id}/end/")
    assert mutes(at=now()) == ()
    assert AuditEntry.objects.filter(subject=f"mute:{mute.id}").count() == 2


@pytest.mark.parametrize("hours", ["", "0", "-4", "many", "99999999999"])
def test_a_mute_without_an_end_is_refused(risen, as_sre, hours):
    as_sre.post("/spikes/mutes/", {"tool": TOOL, "hours": hours, "reason": "vendor told"})
    assert Mute.objects.count() == 0


def test_the_address_of_a_mute_leads_whoever_only_looks_to_the_list(as_sre):
    answer = as_sre.get("/spikes/mutes/")
    assert (answer.status_code, answer.url) == (302, "/spikes/#mutes")


def test_a_spike_that_rose_with_the_first_traffic_learned_from_nothing(risen, as_sre):
    risen.test["age"] = 0
    risen.save(update_fields=["test"])
    shown = page(as_sre, f"/spikes/{risen.pk}/")
    assert "it rose with the first traffic" in shown
    assert "0 ms" not in shown


def test_nobody_is_sent_outside(as_sre):
    for outside in ("https://evil.example/", "//evil.example/", "/\\evil.example"):
        assert as_sre.post("/spikes/mutes/", {"next": outside}).url == "/spikes/"


def test_a_cause_that_nobody_has_seen_before_is_news(signed_in):
    agent, at = factories.agent("trip-booker"), now().replace(second=20) - 2 * MINUTE
    reported(1, 0, agent=agent, at=at - MINUTE)
    Tool.objects.update(first_seen_at=at - timedelta(days=2))
    reported(2, 1, agent=agent, at=at)
    shown = page(signed_in, "/spikes/")
    assert "A new hard failure of <bdi>points.query</bdi>" in shown
    new = Spike.objects.get(kind=SpikeKind.NEW)
    assert "token expired" in page(signed_in, f"/spikes/{new.pk}/")


def test_an_address_that_leads_nowhere_says_so(signed_in):
    assert signed_in.get("/spikes/9/").status_code == 404
    assert signed_in.get("/spikes/?after=nonsense").status_code == 404


def test_the_title_of_the_window_has_no_marks_in_it(risen, signed_in):
    title = re.search("<title>(.*?)</title>", page(signed_in, f"/spikes/{risen.pk}/"), re.DOTALL)[1]
    assert title.strip().startswith("hard of points.query: ")
    assert "bdi" not in title
