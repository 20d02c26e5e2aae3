"""The page of a case: in reading order, for everybody who may look, whatever an agent wrote."""

import re

import pytest
from django.urls import reverse

from escalations.models import Case, Decision
from tests import factories
from tests.escalations import made
from tests.escalations.pages.browser import as_actor, count, opened, send, show, to

pytestmark = pytest.mark.django_db
PARTS = {"headers": {"X-Parts": "1"}}


@pytest.mark.parametrize("name", ["case", "queue-preview", "queue-row"])
def test_strangers_are_sent_to_the_sign_in_page(client, name):
    answer = client.get(to(name, opened()))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("signin"))


def test_a_case_that_is_not_there_is_a_page_that_says_so(ana):
    assert ana.get(reverse("case", args=["C-999"])).status_code == 404
    assert ana.get(reverse("case", args=["nonsense"])).status_code == 404


def test_the_case_reads_in_order(ana):
    html = show(ana, opened())
    order = ["Book Shanghai", "What failed", "unknown_outcome", "TIMEOUT", "What was done", "fare.hold"]
    order += ["What can be done", "Find out first", "If you approve"]
    places = [html.index(part) for part in order]
    assert places == sorted(places)


def test_enter_in_a_field_keeps_what_was_typed_and_decides_nothing(ana):
    buttons = re.findall(r'<button[^>]*form="decide"[^>]*>', show(ana, opened()))
    assert len(buttons) > 1
    assert "/draft/#what-can-be-done" in buttons[0]  # browsers submit a form by its first button
    assert "name=" not in buttons[0]


def test_a_person_without_a_role_may_look_and_is_told_why_not_more(client, stranger):
    client.force_login(stranger)
    case = opened()
    assert "This is for operators. You may look." in show(client, case)
    assert "This is for operators" in send(client, case).content.decode()
    assert not Decision.objects.exists()


def test_what_became_of_a_decision_is_shown_step_by_step(ana, rival):
    case = opened()
    decided = made.decided(case.id, by=as_actor(rival), at=made.real_now())
    told = [
        {"id": "s1", "status": "empty"},
        {
            "id": "s2",
            "status": "failed",
            "failure": {"class": "hard", "code": "DOCUMENT_CHECK", "message": "<i>no</i>"},
        },
        {"id": "s3", "status": "never_executed"},
    ]
    made.reported(decided, "partial", steps=told, at=made.real_now())
    html = show(ana, case)
    for part in (
        "Executed in part",
        "DOCUMENT_CHECK",
        "never executed",
        "needs attention",
        "&lt;i&gt;no&lt;/i&gt;",
    ):
        assert part in html
    ana.post(to("case-resolve", case), {"note": "Done by phone."})
    assert Case.objects.get().resolved_at is not None


def test_hostile_text_never_becomes_markup(ana):
    evil = "<script>alert(1)</script>"
    case = opened(
        title=evil,
        goal=evil,
        failure={"call_id": "c", "tool": evil, "class": "hard", "code": evil, "message": evil, "field": evil},
    )
    for page in (
        show(ana, case),
        ana.get(reverse("queue")).content.decode(),
        ana.get(to("queue-preview", case)).content.decode(),
    ):
        assert evil not in page
        assert "&lt;script&gt;" in page


def test_odd_ids_of_agents_break_no_page(ana):
    step = made.step(
        "s/1", "t/o?o#l%20", args={'"><i>': 1}, args_schema={"type": "object", "properties": {'"><i>': {}}}
    )
    plan = {"id": "ü/b", "kind": "retry", "title": "x", "steps": [step]}
    assert '"><i>' not in show(ana, opened(trace_id="a/b c", proposals=[plan]))


def test_parts_are_the_page_without_its_frame(ana):
    case = opened()
    parts = ana.get(to("case", case), **PARTS).content.decode()
    assert 'id="case"' in parts
    assert "stylesheet" not in parts
    assert "first-paint" not in parts


def test_a_case_costs_the_same_whatever_is_around_it(ana):
    case = opened(key="k-0")
    alone = count(ana, to("case", case))
    for n in range(1, 8):
        opened(key=f"k-{n}")
    assert count(ana, to("case", case)) == alone


def test_times_are_in_the_persons_zone(ana, operator):
    operator.time_zone = "Asia/Shanghai"
    operator.save()
    case = opened()
    assert "+08:00" in show(ana, case)


def test_the_console_speaks_chinese(ana, operator):
    operator.language = "zh-hans"
    operator.save()
    html = show(ana, opened())
    assert "失败原因" in html
    assert "它可能已经生效" in html


def test_an_agents_key_opens_no_page(client, db):
    key = factories.agent_key(factories.agent())
    case = opened()
    answer = client.get(to("case", case), headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 302


def test_a_call_that_worked_is_not_called_a_failure(ana):
    stopped = {"call_id": "call-2", "tool": "fare.hold"}
    html = show(ana, opened(trigger="payment_anomaly", failure=stopped))
    assert "worked, and what it showed about the payment is odd." in html
    assert "What is wrong" in html
    assert "nobody has said" not in html


def test_what_a_step_undoes_is_named_by_its_tool(ana):
    undo = made.step("u1", "upgrade.cancel", compensates="call-5")
    far = made.step("u2", "seat.free", compensates="5b0c4f4e-0000-4000-8000-000000000000")
    plan = {"id": "A", "kind": "compensate", "title": "Undo", "steps": [undo, far]}
    html = show(ana, opened(proposals=[plan]))
    assert "Undoes <code>upgrade.request</code>." in html
    assert ">an earlier call</span>" in html


def quorum(**policy):
    case = opened()
    Case.objects.update(policy={"quorum": 2, **policy})
    return case


def test_votes_are_blind_until_they_are_settled(ana, client, operator, rival):
    case = quorum()
    send(ana, case, seen="", shown="0")
    html = show(ana, case)
    assert "You have voted: approve. Somebody else has to say the same." in html
    client.force_login(rival)
    html = show(client, case)
    assert "2 have to agree, 1 have voted: yours is one vote." in html
    assert "<b>ana</b> approve" not in html
    send(client, case, "reject", reason="Too dear.")
    html = show(client, case)
    assert "The votes differ." in html
    assert "<b>ana</b> approve" in html
    assert "<b>ben</b> reject" in html


def test_breaking_the_glass_needs_a_reason_and_decides(ana, operator):
    case = quorum(break_glass=["operator"])
    assert "Break the glass" in show(ana, case)
    assert "several people have to agree" in ana.get(to("case", case) + "?do=glass").content.decode()
    answer = send(ana, case, "glass_approve", shown="0", break_glass="short")
    assert not Decision.objects.exists()
    assert "short" in answer.content.decode()
    send(ana, case, "glass_approve", shown="0", break_glass="The traveller boards in ten minutes.")
    assert Decision.objects.get().state == "approved"


def test_a_webhook_that_fails_says_so_and_can_be_asked_again(ana):
    case = opened()
    made.decided(case.id, at=made.real_now())
    Decision.objects.update(webhook_tries=3, webhook_error="HTTP 500 <b>", webhook_at=made.real_now())
    html = show(ana, case)
    assert "3 tries failed." in html
    assert "HTTP 500 &lt;b&gt;" in html
    assert "Post it again" in html


def test_the_package_is_shown_with_what_was_redacted(ana, client):
    plan = made.find_out()
    plan["steps"][0]["args"] = {"key": {"$ref": "secret-1"}}
    case = opened(proposals=[plan], context={"note": "<script>"})
    made.revised(case.id, base_revision=1, at=made.real_now(), title="Second")
    html = ana.get(to("case-package", case) + "?revision=1").content.decode()
    assert "proposals.0.steps.0.args.key" in html
    assert "secret-1" not in html
    assert "<script>note" not in html
    assert "Second" in ana.get(to("case-package", case)).content.decode()
    assert ana.get(to("case-package", case) + "?revision=9").status_code == 404
    client.logout()
    assert client.get(to("case-package", case)).status_code == 302


def test_an_undo_counts_down_while_there_is_one(ana, settings):
    settings.UNDO_WINDOW_S = 60
    case = opened()
    send(ana, case, "reject", reason="No.")
    assert "data-until-refresh" in show(ana, case)
    ana.post(to("case-retract", case))
    assert Case.objects.get().decision == "open"


def test_what_a_plan_left_undone_is_put_up_for_decision(ana):
    case = opened()
    decided = made.decided(case.id, at=made.real_now())
    made.acknowledged(decided, at=made.real_now())
    told = [{"id": "s1", "status": "empty"}, {"id": "s2", "status": "never_executed"}]
    made.reported(decided, "partial", steps=told, at=made.real_now())
    assert "Decide the rest of the plan" in show(ana, case)
    answer = ana.post(to("case-go-on", case), {"base_revision": "1"}, follow=True)
    assert "What was left of the plan is up for decision." in answer.content.decode()
    row = Case.objects.get()
    assert (row.revision, row.decision) == (2, "open")
    again = ana.post(to("case-go-on", case), {"base_revision": "x"}, follow=True)
    assert 'class="notice bad"' in again.content.decode()


def test_a_default_is_never_worded_as_a_persons_word(ana):
    case = opened()
    made.decided(case.id, "reject", at=made.real_now())
    Decision.objects.update(by_kind="default", by_name="declared default")
    html = show(ana, case)
    assert "by the declared default, nobody said so" in html
    Decision.objects.update(by_kind="policy", by_name="big refunds")
    assert "by the policy big refunds, nobody said so" in show(ana, case)
