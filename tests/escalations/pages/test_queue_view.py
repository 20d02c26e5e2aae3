"""The queue: its views, its filter, and what became of a case that left it."""

import pytest
from django.urls import reverse

from escalations.models import Case
from tests.escalations import made
from tests.escalations.pages.browser import as_actor, count, opened, to

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("view", ["open", "mine", "attention", "unreported", "snoozed", "done", "nonsense"])
def test_every_view_of_the_queue_can_be_empty(ana, view):
    answer = ana.get(reverse("queue"), {"view": view})
    assert answer.status_code == 200
    assert 'class="blank"' in answer.content.decode()


def test_the_queue_lists_filters_and_turns_pages(ana):
    for n in range(3):
        opened(key=f"k-{n}", title=f"Case number {n}")
    html = ana.get(reverse("queue")).content.decode()
    assert html.count("data-row ") == 4  # with the line of their one cause
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


def test_cases_of_one_cause_stand_under_one_line_that_leads_to_their_page(ana):
    for n in range(3):
        opened(key=f"k-{n}")
    html = ana.get(reverse("queue")).content.decode()
    assert "3 cases, one cause" in html
    assert html.count(" child") == 3
    assert html.count('name="item"') == 3


def test_who_may_only_look_ticks_nothing(client, stranger):
    client.force_login(stranger)
    opened()
    html = client.get(reverse("queue")).content.decode()
    assert "data-tick" not in html
    assert 'id="bulk"' not in html


def test_the_list_says_what_it_is_narrowed_by_and_could_be(ana):
    opened(key="a", severity="high")
    opened(key="b", severity="low", failure={"call_id": "c", "tool": "points.query", "class": "hard"})
    html = ana.get(reverse("queue"), {"q": "severity:low"}).content.decode()
    assert html.count("data-row ") == 1
    assert "severity low" in html
    html = ana.get(reverse("queue")).content.decode()
    assert "q=tool%3Apoints.query" in html


def test_decisions_that_nothing_was_heard_of_for_too_long_raise_an_alarm(ana):
    case = opened()
    made.decided(case.id, at=made.real_now())
    assert "No outcome yet 1" in ana.get(reverse("queue")).content.decode()
    Case.objects.update(execution="no_report", needs_attention=True, report_due_at=None)
    html = ana.get(reverse("queue"), {"view": "unreported"}).content.decode()
    assert "1 decision has had no outcome for too long." in html
    assert html.count("data-row ") == 1


def test_what_is_pressed_in_the_preview_stands_in_rows_of_the_house(ana):
    html = ana.get(to("queue-preview", opened())).content.decode()
    assert html.count('class="row"') == 2


def test_of_a_group_the_preview_decides_the_whole_cause_and_not_its_first_case(ana):
    case = opened()
    opened(key="k-2")
    alone = ana.get(to("queue-preview", case)).content.decode()
    assert "?do=approve" in alone
    together = ana.get(to("queue-preview", case), {"cause": ""}).content.decode()
    assert "2 open cases of one cause." in together
    assert "?do=approve" not in together
    assert 'data-key="c"' not in together
    assert "Decide once <kbd>A</kbd>" in together
