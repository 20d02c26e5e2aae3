"""The kill switch on pages: held back with a reason and an end, seen where one works, let go on with one click."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from escalations.models import Pause
from tests import factories
from tests.escalations.pages.browser import opened, show
from tests.escalations.pages.test_policies import post as post_policy
from tests.escalations.pages.test_policies import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(db):
    return factories.agent("trip-booker")


def hold(client, **changes):
    said = {"kind": "agent", "name": "trip-booker", "reason": "it doubles payments", "for": "4h", **changes}
    return client.post(reverse("pause-hold"), said, follow=True)


def test_an_agent_is_held_back_for_a_while_and_everybody_sees_it(ana, agent):
    html = text(hold(ana))
    row = Pause.objects.get()
    assert (row.kind, row.name, row.reason, row.by_name) == (
        "agent",
        "trip-booker",
        "it doubles payments",
        "ana",
    )
    assert timedelta(hours=3, minutes=59) < row.until - timezone.now() <= timedelta(hours=4)
    assert "it doubles payments" in html
    for page in ("queue", "policies"):
        assert "Held back: automatic decisions of agent <b>trip-booker</b>" in " ".join(
            text(ana.get(reverse(page))).split()
        )


def test_it_goes_on_with_one_click(ana, agent):
    hold(ana)
    html = text(ana.post(reverse("pause-go-on"), {"kind": "agent", "name": "trip-booker"}, follow=True))
    assert not Pause.objects.exists()
    assert "Nothing is held back." in html
    assert "Held back:" not in text(ana.get(reverse("queue")))
    again = ana.post(reverse("pause-go-on"), {"kind": "agent", "name": "trip-booker"}, follow=True)
    assert "Nothing of that name is held back." in text(again)


def test_the_field_offers_agents_and_the_policies_that_decide(ana, agent, operator):
    operator.groups.add(Group.objects.get_or_create(name="admin")[0])
    post_policy(ana)
    end = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    auto = {"decide": "reject", "decide_message": "Never this one.", "expires_at": end, "quorum": "1"}
    post_policy(ana, name="small refunds", **auto)
    html = text(ana.get(reverse("pauses")))
    assert '<option value="trip-booker"></option>' in html
    assert '<option value="small refunds"></option>' in html
    assert '<option value="big refunds"></option>' not in html


@pytest.mark.parametrize(
    ("length", "picked", "kept"),
    [("", "", False), ("pick", "2999-01-01T00:00", True)],
)
def test_it_is_held_back_for_good_or_until_a_picked_time(ana, agent, length, picked, kept):
    hold(ana, **{"for": length, "at": picked})
    assert (Pause.objects.get().until is not None) is kept


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": "trip-boker"}, "There is no agent called “trip-boker”."),
        ({"kind": "policy", "name": "nope"}, "There is no policy called “nope”."),
        ({"reason": " "}, "Say why"),
        ({"for": "pick", "at": "2001-01-01T00:00"}, "Pick a time that is still to come."),
        ({"for": "pick", "at": "soon"}, "Pick a time that is still to come."),
    ],
)
def test_what_would_hold_nothing_is_refused_and_every_word_is_kept(ana, agent, wrong, told):
    answer = hold(ana, **wrong)
    assert told in text(answer)
    assert answer.context["typed"]["name"] == wrong.get("name", "trip-booker")
    assert not Pause.objects.exists()


def test_a_policy_is_held_back_from_its_own_page(ana, operator):
    operator.groups.add(Group.objects.get_or_create(name="admin")[0])
    post_policy(ana)
    page = text(ana.get(reverse("policy", args=["big refunds"])))
    assert "?kind=policy&amp;name=big%20refunds#hold" in page
    hold(ana, kind="policy", name="big refunds")
    page = text(ana.get(reverse("policy", args=["big refunds"])))
    assert "Held back: automatic decisions of policy" in page
    assert "?kind=policy" not in page


def test_whoever_may_not_decide_only_looks(client, stranger, agent):
    client.force_login(stranger)
    assert "You may look." in text(client.get(reverse("pauses")))
    hold(client)
    assert not Pause.objects.exists()
    assert client.post(reverse("pause-hold"), {"kind": "x"}).status_code == 404
    assert client.post(reverse("pause-go-on"), {"kind": "x"}).status_code == 404


def test_a_case_says_who_holds_its_automatic_decisions_back(ana, agent):
    case = opened()
    hold(ana, reason="<i>it doubles</i>")
    html = show(ana, case)
    assert "ana holds automatic decisions of agent trip-booker back:" in html
    assert "<q>&lt;i&gt;it doubles&lt;/i&gt;</q>" in html
