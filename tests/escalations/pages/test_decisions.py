"""What is sent from a case: what was shown, once, with nothing typed lost."""

import pytest

from console.audit.models import AuditEntry
from escalations.models import Case, Decision, Draft, Note
from tests.escalations import made
from tests.escalations.pages.browser import as_actor, digest_shown, opened, send, show, to

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["decision", "draft", "claim", "release", "retract", "resolve", "note"])
def test_strangers_write_nothing_and_a_look_changes_nothing(client, operator, name):
    case = opened()
    assert client.post(to(f"case-{name}", case)).status_code == 302
    client.force_login(operator)
    assert client.get(to(f"case-{name}", case)).status_code == 405
    assert not Decision.objects.exists()


def test_approving_what_was_shown_decides_it(ana, operator):
    case = opened()
    answer = send(ana, case, seen=digest_shown(ana, case), shown="0")
    decision = Decision.objects.get()
    assert (decision.action, decision.proposal_id, decision.by_name) == ("approve", "A", operator.username)
    assert "approved" in answer.content.decode()


def test_an_edit_is_shown_before_it_is_sent(ana):
    case = opened()
    edit = {"p0s1/points_max": "28000", "p0s1!as": "form"}

    first = send(ana, case, seen=digest_shown(ana, case), **edit)
    assert not Decision.objects.exists()
    html = first.content.decode()
    assert "here is the difference" in html
    assert "<mark>32000</mark>" in html
    assert "<mark>28000</mark>" in html

    send(ana, case, seen=digest_shown(ana, case), **edit)
    decision = Decision.objects.get()
    assert decision.action == "edit"
    assert [step["args"].get("points_max") for step in decision.steps] == [None, 28000, None]


def test_the_digest_that_was_shown_is_the_digest_that_is_sent(ana):
    case = opened()
    edit = {"p0s1/points_max": "28000"}
    ana.post(to("case-draft", case), {"base_revision": 1, "plan": "0", **edit})
    shown = digest_shown(ana, case)
    send(ana, case, seen=shown, **edit)
    assert Decision.objects.get().args_digest == shown


def test_a_plan_chosen_without_a_script_is_described_before_it_is_sent(ana):
    case = opened()
    answer = send(ana, case, seen=digest_shown(ana, case), shown="0", plan="1")
    assert "this is what plan B would do" in answer.content.decode()
    assert not Decision.objects.exists()
    send(ana, case, seen="", shown="1", plan="1")
    assert Decision.objects.get().proposal_id == "B"


def test_an_edit_that_the_tool_does_not_take_is_marked_and_kept(ana):
    case = opened()
    html = send(ana, case, **{"p0s1/points_max": "99999"}).content.decode()
    assert "Too much: you sent 99999." in html
    assert 'value="99999"' in html
    assert not Decision.objects.exists()


def test_rejecting_needs_a_reason_and_the_text_survives_the_refusal(ana):
    case = opened()
    assert "A reason is required" in send(ana, case, "reject", reason="  ").content.decode()
    send(ana, case, "reject", reason="Ask the carrier by phone.")
    assert (Decision.objects.get().state, Decision.objects.get().message) == (
        "rejected",
        "Ask the carrier by phone.",
    )


def test_a_question_is_answered_with_what_its_schema_asks_for(ana):
    case = opened(proposals=[], question={"response_schema": {"type": "boolean"}})
    html = send(ana, case, "respond").content.decode()
    assert "does not fit" in html
    assert 'aria-invalid="true"' in html
    assert "autofocus" in html
    send(ana, case, "respond", answer="false", message="No.")
    decision = Decision.objects.get()
    assert (decision.state, decision.answer, decision.answered, decision.message) == (
        "responded",
        False,
        True,
        "No.",
    )


def test_the_loser_of_a_race_is_told_who_won_and_keeps_the_text(ana, rival):
    case = opened()
    show(ana, case)
    made.decided(case.id, by=as_actor(rival), at=made.real_now())

    html = send(ana, case, "reject", reason="It is an exit row.").content.decode()
    assert "ben decided first." in html
    assert "<strong>not applied</strong>" in html
    assert "It is an exit row." in html
    assert Decision.objects.get().by_name == "ben"
    assert AuditEntry.objects.filter(verb="decision_refused").count() == 1


def test_who_was_still_writing_keeps_words_and_edits(ana, rival):
    case = opened()
    fields = {"base_revision": 1, "plan": "0", "p0s1/points_max": "28000", "reason": "Too dear"}
    ana.post(to("case-draft", case), fields)
    made.decided(case.id, by=as_actor(rival), at=made.real_now())
    html = show(ana, case)
    assert "ben decided while you were writing." in html
    assert "points_max 32000 → 28000" in html
    assert "Too dear" in html


def test_a_decision_on_an_earlier_revision_is_not_applied_to_the_new_one(ana):
    case = opened()
    made.revised(case.id, base_revision=1, at=made.real_now())
    html = send(ana, case, seen="").content.decode()
    assert "newer revision" in html
    assert not Decision.objects.filter(kind="decision").exists()


@pytest.mark.parametrize("said", ["", "0", "-1", "abc", "9" * 400, "1e9", "\u0661", "1\x00"])
@pytest.mark.parametrize("action", ["approve", "reject"])
def test_a_revision_that_nobody_can_have_looked_at_is_not_taken_for_the_current_one(ana, action, said):
    """Check: arguments change after the form opened: 409."""
    case = opened()
    made.revised(case.id, base_revision=1, at=made.real_now(), title="Changed")
    html = send(ana, case, action, base_revision=said, reason="Not this.").content.decode()
    assert "newer revision" in html
    assert Case.objects.get().decision == "open"
    assert Draft.objects.count() == 1  # nothing that was typed is lost


def test_claim_take_over_and_release(ana, client, operator, rival):
    case = opened()
    ana.post(to("case-claim", case))
    assert "Held by you" in show(ana, case)
    client.force_login(rival)
    assert "Held by ana" in show(client, case)
    assert "ana has it until" in client.post(to("case-claim", case), follow=True).content.decode()
    client.post(to("case-claim", case), {"take_over": "1"})
    assert Case.objects.get().holder_name == "ben"
    client.post(to("case-release", case))
    assert Case.objects.get().holder_name == ""


def test_a_note_is_left_for_the_next_person(ana):
    case = opened()
    ana.post(to("case-note", case), {"text": "Carrier is slow. <b>"})
    assert Note.objects.get().text == "Carrier is slow. <b>"
    assert "Carrier is slow. &lt;b&gt;" in show(ana, case)
    assert (
        "The note is empty." in ana.post(to("case-note", case), {"text": " "}, follow=True).content.decode()
    )


def test_words_beyond_all_measure_are_refused_and_kept(ana):
    case = opened()
    answer = send(ana, case, "reject", reason="x" * 30_000)
    assert answer.status_code == 200
    assert not Decision.objects.exists()
    assert Draft.objects.exists()


def test_control_characters_neither_break_nor_pass(ana):
    case = opened()
    assert send(ana, case, "reject", reason="a\x00b").status_code == 200
    assert "\x00" not in "".join(Decision.objects.values_list("message", flat=True))


def test_a_very_large_plan_can_be_looked_at_edited_and_decided(ana):
    schema = {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(20)}}
    plans = [
        {
            "id": f"plan-{p}",
            "kind": "retry",
            "title": f"Plan {p}",
            "steps": [
                made.step(
                    f"s{n}", "tool.x", args={"field_1": "a"}, args_schema=schema, idempotency_key=f"{p}-{n}"
                )
                for n in range(20)
            ],
        }
        for p in range(6)
    ]
    case = opened(proposals=plans, failure=None)
    fields = {f"p2s{n}/field_1": "b" for n in range(20)}
    ana.post(to("case-draft", case), {"base_revision": 1, "plan": "2", **fields})
    send(ana, case, plan="2", seen=digest_shown(ana, case), **fields)
    assert {step["args"]["field_1"] for step in Decision.objects.get().steps} == {"b"}
