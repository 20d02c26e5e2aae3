"""Many at once: looked over before they are decided, each answered by itself, nothing typed lost."""

import pytest
from django.urls import reverse

from escalations.models import Case, Decision, Draft
from tests.escalations import made
from tests.escalations.pages.browser import as_actor, opened, show

pytestmark = pytest.mark.django_db


def post(client, *cases, verb="approve", key="k-1", **more):
    items = [f"{case.ref}.{case.revision}" for case in cases]
    return client.post(reverse("bulk"), {"verb": verb, "item": items, "key": key, **more}, follow=True)


def text(answer):
    return answer.content.decode()


def test_what_was_ticked_is_shown_with_what_would_be_done_before_anything_is(ana):
    case, other = opened(key="a"), opened(key="b", proposals=[made.keep_seat()], title="Keep it")
    answer = ana.post(
        reverse("bulk-pick"), {"do": "approve", "item": [f"{case.ref}.1", f"{other.ref}.1"]}, follow=True
    )
    html = text(answer)
    assert "Approve 2 cases, each by its own plan" in html
    assert "Calls <code>upgrade.status</code>" in html
    assert html.count("checked") == 2
    assert not Decision.objects.exists()


def test_each_gets_its_own_decision_and_its_own_answer(ana, rival):
    fine, held, gone = opened(key="a"), opened(key="b"), opened(key="c")
    made.operations.claim(case_id=held.id, by=as_actor(rival), at=made.real_now())
    made.decided(gone.id, "reject", by=as_actor(rival), at=made.real_now())

    html = text(post(ana, fine, held, gone))

    assert "1 done, 2 not" in html
    assert "ben has it." in html
    assert "ben decided first: rejected" in html
    assert Case.objects.get(pk=fine.id).decision == "approved"
    assert Case.objects.get(pk=held.id).decision == "open"
    assert reverse("bulk") + "?do=approve" in html


def test_sent_twice_it_decides_once(ana):
    case = opened()
    post(ana, case)
    assert "1 done" in text(post(ana, case))
    assert Decision.objects.count() == 1


def test_what_changed_since_it_was_looked_at_is_told_and_not_decided(ana):
    case = opened()
    made.revised(case.id, base_revision=1, at=made.real_now(), title="Another")
    assert "newer revision since" in text(post(ana, case))
    assert Case.objects.get().decision == "open"


def test_rejecting_many_needs_a_reason_and_keeps_ticks_and_words(ana):
    case = opened()
    answer = post(ana, case, verb="reject", words="  ")
    assert "A reason is required" in text(answer)
    assert f'value="{case.ref}.1"' in text(answer)
    post(ana, case, verb="reject", preset="by_hand", words="Call the desk.", key="k-2")
    decision = Decision.objects.get()
    assert decision.message.startswith("A person does it by hand")
    assert decision.message.endswith("Call the desk.")


def test_what_harms_nothing_goes_straight_back_to_the_list(ana, operator):
    cases = [opened(key=f"k{n}") for n in range(2)]
    back = reverse("queue") + "?view=mine"
    answer = post(ana, *cases, verb="claim", back=back)
    assert "2 cases claimed." in text(answer)
    assert answer.redirect_chain[-1][0] == back
    assert "2 cases assigned." in text(post(ana, *cases, verb="assign", person=operator.username))
    assert "2 cases released." in text(post(ana, *cases, verb="release"))


def test_a_rest_is_chosen_by_its_line(ana):
    case = opened()
    items = {"item": [f"{case.ref}.1"]}
    assert "1 case put aside." in text(ana.post(reverse("bulk"), {**items, "rest": "15m"}, follow=True))
    assert Case.objects.get().snoozed_until is not None
    html = text(ana.post(reverse("bulk"), {**items, "rest": "4h"}, follow=True))
    assert "It is due before that time." in html


def test_all_of_a_filter_and_all_of_a_cause_are_more_than_was_ticked(ana):
    for n in range(3):
        opened(key=f"k{n}")
    opened(key="other", title="Other", failure={"call_id": "c", "tool": "points.query", "class": "hard"})
    fingerprint = Case.objects.get(key="k0").fingerprint
    html = text(
        ana.post(reverse("bulk-pick"), {"do": "reject", "all": "1", "q": "tool:points.*"}, follow=True)
    )
    assert "Reject 1 case" in html
    html = text(ana.post(reverse("bulk-pick"), {"do": "reject", "cause": [fingerprint]}, follow=True))
    assert "Reject 3 cases" in html


def test_nothing_ticked_nonsense_and_strange_places_change_nothing(ana):
    opened()
    assert "Nothing is ticked." in text(ana.post(reverse("bulk"), {"verb": "approve"}, follow=True))
    answer = ana.post(reverse("bulk"), {"verb": "claim", "item": ["C-1.1"], "back": "https://evil.example/"})
    assert answer["Location"] == reverse("queue")
    assert ana.get(reverse("bulk"), {"do": "delete"}).status_code == 404
    assert ana.get(reverse("bulk-done", args=["unknown"])).status_code == 404
    assert ana.get(reverse("bulk"), {"do": "approve", "item": ["C-999", "x", "C-\u0661"]}).status_code == 200
    assert post(ana, verb="explode").status_code == 200


def test_who_may_only_look_sees_why_not_and_decides_nothing(client, stranger):
    client.force_login(stranger)
    case = opened()
    html = text(client.get(reverse("bulk"), {"do": "approve", "item": f"{case.ref}.1"}))
    assert "This is for operators" in html
    assert "0 done, 1 not" in text(post(client, case))
    assert not Decision.objects.exists()


def test_a_vote_is_told_as_a_vote(ana):
    case = opened()
    Case.objects.update(policy={"quorum": 2})
    assert "2 people have to agree" in text(
        ana.get(reverse("bulk"), {"do": "approve", "item": f"{case.ref}.1"})
    )
    assert "Your vote is kept" in text(post(ana, case))


def test_a_preset_reason_on_the_case_itself_reaches_the_model_and_is_kept_as_a_word(ana):
    case = opened()
    ana.post(reverse("case-draft", args=[case.ref]), {"base_revision": 1, "preset": "ask_first"})
    assert '<option value="ask_first" selected>' in show(ana, case)
    assert Draft.objects.exists()
    body = {"action": "reject", "base_revision": 1, "preset": "ask_first", "reason": ""}
    ana.post(reverse("case-decision", args=[case.ref]), body)
    decision = Decision.objects.get()
    assert decision.message == "Ask the customer first, then come back with the answer."
    assert decision.reason == "ask_first"


@pytest.mark.parametrize("key", ["a/b", "", "x" * 400, "\u4f60", "a\nb", ".."])
def test_a_key_no_form_of_ours_has_still_ends_on_the_page_that_tells(ana, key):
    case = opened()
    assert "1 done" in text(post(ana, case, key=key))
    assert "0 done, 1 not" in text(post(ana, case, key=key))
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("revision", ["9" * 20, "9" * 5000, "0", "-1", "x", "\u0661"])
def test_a_revision_that_no_case_can_have_is_told_as_not_the_current_one(ana, revision):
    case = opened()
    said = {"verb": "approve", "item": f"{case.ref}.{revision}", "key": "k-1"}
    assert "newer revision since" in text(ana.post(reverse("bulk"), said, follow=True))
    assert Case.objects.get().decision == "open"
