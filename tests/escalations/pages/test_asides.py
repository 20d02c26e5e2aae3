"""Passing a case on, letting it rest, posting its decision again: from the case or from the list, and back there."""

import pytest
from django.urls import reverse

from escalations import operations
from escalations.models import Case, ChainPost
from tests.escalations import cast, made
from tests.escalations.pages.browser import opened, show, to

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["assign", "snooze", "redeliver"])
def test_strangers_write_nothing_and_a_look_changes_nothing(client, operator, name):
    case = opened()
    assert client.post(to(f"case-{name}", case)).status_code == 302
    client.force_login(operator)
    assert client.get(to(f"case-{name}", case)).status_code == 405
    assert Case.objects.get().version == 1


def test_a_case_is_passed_on_and_taken_off_a_list_again(ana, rival):
    case = opened()
    html = ana.post(to("case-assign", case), {"person": rival.username}, follow=True).content.decode()
    assert "is on the list of ben." in html
    assert Case.objects.get().assignee_name == "ben"
    ana.post(to("case-assign", case), {"person": ""})
    assert Case.objects.get().assignee_name == ""
    refused = ana.post(to("case-assign", case), {"person": "nobody"}, follow=True)
    assert "no operator called" in refused.content.decode()


def test_a_case_rests_is_found_there_and_is_woken(ana):
    case = opened()
    back = reverse("queue") + "?q=upgrade"
    assert ana.post(to("case-snooze", case), {"for": "15m", "back": back})["Location"] == back
    assert "Snoozed 1" in ana.get(reverse("queue")).content.decode()
    assert "Wake it" in show(ana, case)
    ana.post(to("case-snooze", case), {"for": "wake"})
    assert Case.objects.get().snoozed_until is None


@pytest.mark.parametrize("asked", [{"for": "4h"}, {"for": "pick", "at": "x"}, {}])
def test_a_time_that_is_none_or_too_late_changes_nothing(ana, asked):
    case = opened()
    answer = ana.post(to("case-snooze", case), asked, follow=True)
    assert 'class="notice bad"' in answer.content.decode()
    assert Case.objects.get().snoozed_until is None


def test_there_is_nothing_to_post_again_without_a_webhook(ana):
    case = opened()
    made.decided(case.id, "reject", at=made.real_now())
    answer = ana.post(to("case-redeliver", case), follow=True)
    assert 'class="notice bad"' in answer.content.decode()


def test_a_message_of_a_chain_that_was_given_up_is_posted_again_by_hand(ana, stranger, client):
    cast.policy(effect={"chain": [{"do": "webhook", "url": "https://hooks.example.com/x"}]})
    case = opened()
    operations.chain_one(at=made.real_now())
    row = ChainPost.objects.get()
    assert "Waiting to be posted." in show(ana, case)
    ChainPost.objects.update(due_at=None, tries=9, error="<b>503</b>")
    html = show(ana, case)
    assert "Given up after 9 tries." in html
    assert "&lt;b&gt;503&lt;/b&gt;" in html
    address = reverse("case-post-redeliver", args=[case.ref, row.pk])
    assert address in html
    ana.post(address)
    again = ChainPost.objects.get()
    assert (again.tries, again.error, again.due_at is None) == (0, "", False)
    assert address not in show(ana, case)
    client.force_login(stranger)
    ChainPost.objects.update(due_at=None, tries=9, error="503")
    assert address not in show(client, case)
    client.post(address)
    assert ChainPost.objects.get().due_at is None
