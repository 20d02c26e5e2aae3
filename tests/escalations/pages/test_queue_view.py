"""The queue: its views, its filter, and what became of a case that left it."""

import pytest
from django.urls import reverse

from tests.escalations import made
from tests.escalations.pages.browser import as_actor, count, opened, to

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("view", ["open", "mine", "attention", "snoozed", "done", "nonsense"])
def test_every_view_of_the_queue_can_be_empty(ana, view):
    answer = ana.get(reverse("queue"), {"view": view})
    assert answer.status_code == 200
    assert 'class="blank"' in answer.content.decode()


def test_the_queue_lists_filters_and_turns_pages(ana):
    for n in range(3):
        opened(key=f"k-{n}", title=f"Case number {n}")
    html = ana.get(reverse("queue")).content.decode()
    assert html.count("data-row ") == 3
    assert "(3) Queue" in html
    filtered = ana.get(reverse("queue"), {"q": "number 1"}).content.decode()
    assert filtered.count("data-row ") == 1
    assert "No case fits" in ana.get(reverse("queue"), {"q": "class:hard"}).content.decode()
    assert ana.get(reverse("queue"), {"after": "nonsense"}).status_code == 200


def test_the_row_and_the_preview_of_a_decided_case_say_what_became_of_it(ana, rival):
    case = opened()
    made.decided(case.id, "reject", by=as_actor(rival), at=made.real_now())
    assert "rejected" in ana.get(to("queue-row", case)).content.decode()
    assert "by ben" in ana.get(to("queue-preview", case)).content.decode()


def test_the_queue_costs_the_same_at_one_row_and_at_many(ana):
    opened(key="k-0")
    one = count(ana, reverse("queue"))
    for n in range(1, 12):
        opened(key=f"k-{n}")
    assert count(ana, reverse("queue")) == one
