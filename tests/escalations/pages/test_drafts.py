"""What a person has begun is kept as typed, for that person, on that revision."""

import pytest

from escalations.models import Decision, Draft
from tests.escalations import made
from tests.escalations.pages.browser import opened, show, to

pytestmark = pytest.mark.django_db


def test_enter_in_a_field_keeps_a_draft_and_decides_nothing(ana):
    case = opened()
    ana.post(to("case-draft", case), {"base_revision": 1, "plan": "0", "p0s1/points_max": "1"})
    assert not Decision.objects.exists()
    assert Draft.objects.get().body["fields"]["p0s1/points_max"] == ["1"]
    assert 'value="1"' in show(ana, case)


def test_a_draft_is_its_writers_alone(ana, client, rival):
    case = opened()
    ana.post(to("case-draft", case), {"base_revision": 1, "plan": "0", "p0s1/points_max": "1"})
    client.force_login(rival)
    assert "<mark>" not in show(client, case)


def test_the_forms_of_the_page_keep_each_others_text(ana):
    case = opened()
    ana.post(to("case-draft", case), {"base_revision": 1, "reason": "Call first"})
    ana.post(to("case-draft", case), {"base_revision": 1, "plan": "1", "p0s1/points_max": "1"})
    html = show(ana, case)
    assert "Call first" in html
    assert ana.get(to("case", case)).context["desk"].chosen.proposal.id == "B"


def test_all_edits_of_a_step_can_be_undone_at_once(ana):
    case = opened()
    ana.post(
        to("case-draft", case), {"base_revision": 1, "plan": "0", "p0s1/points_max": "1", "p0s2.run": "false"}
    )
    ana.post(
        to("case-draft", case), {"base_revision": 1, "plan": "0", "undo": "p0s1", "p0s1/points_max": "1"}
    )
    assert ana.get(to("case", case)).context["desk"].chosen.steps[1].changes == ()


def test_a_draft_of_an_earlier_revision_is_not_laid_into_the_new_form(ana):
    case = opened()
    ana.post(
        to("case-draft", case), {"base_revision": 1, "plan": "0", "p0s1/points_max": "1", "reason": "No"}
    )
    made.revised(case.id, base_revision=1, at=made.real_now())
    html = show(ana, case)
    assert "The agent has sent revision 2." in html
    assert ana.get(to("case", case)).context["desk"].chosen.edits == 0


def test_what_a_form_does_not_show_keeps_its_earlier_text(ana):
    case = opened()
    ana.post(to("case-draft", case), {"base_revision": 1, "plan": "0", "p0s1/points_max": "1"})
    ana.post(to("case-draft", case), {"base_revision": 1, "plan": "1", "p1s0.run": "true"})
    assert Draft.objects.get().body["fields"]["p0s1/points_max"] == ["1"]


def test_fields_a_form_no_longer_has_are_dropped(ana):
    case = opened()
    ana.post(
        to("case-draft", case), {"base_revision": 1, "plan": "0", "p0s1/tags/0": "a", "p0s1/tags/1": "b"}
    )
    ana.post(to("case-draft", case), {"base_revision": 1, "plan": "0", "p0s1/tags/0": "a"})
    assert "p0s1/tags/1" not in Draft.objects.get().body["fields"]
