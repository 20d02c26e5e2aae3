"""One cause: its open cases together, newcomers last, and what was decided on it before with its outcome."""

import pytest
from django.urls import reverse

from escalations.models import Case, Decision
from tests.escalations import made
from tests.escalations.pages.browser import as_actor, count, opened

pytestmark = pytest.mark.django_db


def group(client, **more):
    return client.get(reverse("group", args=[Case.objects.first().fingerprint]), **more)


def test_the_cases_of_a_cause_are_decided_once_each_by_itself(ana):
    cases = [opened(key=f"k{n}", title=f"Case number {n}") for n in range(3)]
    html = group(ana).content.decode()
    assert html.count("data-tick ") == 3
    assert "3 open cases of one cause" in html
    items = [f"{case.ref}.1" for case in cases[:2]]
    ana.post(reverse("bulk"), {"verb": "approve", "item": items, "key": "g"}, follow=True)
    assert Decision.objects.count() == 2
    assert "1 open case of one cause" in group(ana).content.decode()


def test_earlier_decisions_stand_beside_with_what_came_of_them(ana, rival):
    old = made.decided(opened(key="old").id, by=as_actor(rival), at=made.real_now())
    made.reported(old, "failed", at=made.real_now())
    case = opened(key="new")
    html = group(ana).content.decode()
    assert "Decided before on this cause" in html
    assert "Find out first" in html
    assert "<b>failed</b>" in html
    page = ana.get(reverse("case", args=[case.ref])).content.decode()
    assert "Decided before on this cause" in page


def test_a_cause_without_an_open_case_says_so_and_an_unknown_one_is_not_there(ana):
    made.decided(opened().id, "reject", at=made.real_now())
    assert "No case of this cause is open." in group(ana).content.decode()
    assert ana.get(reverse("group", args=["nothing"])).status_code == 404


def test_the_page_costs_the_same_at_one_case_and_at_many(ana):
    opened(key="k0")
    path = reverse("group", args=[Case.objects.first().fingerprint])
    one = count(ana, path)
    for n in range(1, 8):
        opened(key=f"k{n}")
    assert count(ana, path) == one
