"""Policies on pages: read in words, tried on history before they rule, nothing typed lost, off with one click."""

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from console.audit.models import AuditEntry
from escalations.models import Case, Policy
from tests.escalations import cast, made
from tests.escalations.pages.browser import count, opened

pytestmark = pytest.mark.django_db
RULE = {
    "name": "big refunds",
    "mode": "on",
    "position": "10",
    "tool": "upgrade.*",
    "path0": "points_max",
    "is0": "more_than",
    "value0": "30000",
    "queue": "refund desk",
    "deadline": "30",
    "quorum": "2",
    "four_eyes": "1",
    "remind": "10, 5",
    "do0": "notify",
    "what0": "ana",
    "do1": "wait",
    "what1": "5",
}


@pytest.fixture
def chief(ana, operator):
    operator.groups.add(Group.objects.get_or_create(name="admin")[0])
    return ana


def post(client, *, do="save", **changes):
    return client.post(reverse("policy-save"), {**RULE, **changes, "do": do}, follow=True)


def text(answer):
    return answer.content.decode()


def test_a_rule_is_tried_on_history_and_changes_nothing(chief):
    opened()
    html = text(post(chief, do="try"))
    assert "1 of the last 1 cases" in html
    assert 'value="refund desk"' in html
    assert not Policy.objects.exists()
    assert "It would have meant none of them." in text(post(chief, do="try", value0="90000"))


def test_a_saved_rule_rules_and_is_read_in_words(chief):
    html = text(post(chief))
    assert "big refunds is saved." in html
    row = Policy.objects.get()
    assert row.match == {
        "tool": "upgrade.*",
        "arguments": [{"path": "points_max", "is": "more_than", "value": 30000}],
    }
    assert (row.effect["deadline_s"], row.effect["quorum"], row.effect["remind_before_s"]) == (
        1800,
        2,
        [600, 300],
    )
    assert [step["do"] for step in row.effect["chain"]] == ["notify", "wait"]
    opened()
    assert Case.objects.get().queue == "refund desk"
    html = text(chief.get(reverse("policies")))
    assert "tool upgrade.*, points_max is more than 30000" in html
    assert "queue “refund desk”; due within 30\u202fmin; 2 people have to agree" in html
    assert '#cases">1</a>' in html


def test_what_is_shown_is_what_was_stored_and_saving_it_again_changes_nothing_but_the_version(chief):
    post(chief)
    before = Policy.objects.get()
    page = chief.get(reverse("policy", args=["big refunds"]))
    typed = {**page.context["typed"], "was": "big refunds", "do": "save"}
    chief.post(reverse("policy-save"), typed)
    after = Policy.objects.get()
    assert (after.match, after.effect, after.position) == (before.match, before.effect, before.position)
    assert after.version == 2
    assert "changed it" in text(chief.get(reverse("policy", args=["big refunds"])))


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"deadline": "soon"}, "deadline"),
        ({"deadline": "nan"}, "deadline"),
        ({"value0": "much"}, "path0"),
        ({"name": " "}, "name"),
        ({"tool": "*", "path0": ""}, "tool"),
        ({"quorum": "9"}, "quorum"),
        ({"expires_at": "x"}, "expires_at"),
        ({"do1": "wait", "what1": "long"}, "do1"),
    ],
)
def test_what_does_not_fit_is_marked_and_every_word_is_kept(chief, wrong, place):
    answer = post(chief, **wrong)
    assert place in answer.context["form"].errors
    assert 'role="alert"' in text(answer)
    assert 'value="refund desk"' in text(answer)
    assert not Policy.objects.exists()


def test_what_the_form_does_not_show_is_kept(chief):
    decide = {"action": "reject", "tools": [], "message": "No.", "writes": False, "undo_s": 60}
    post(chief, quorum="1", expires_at="2099-01-01T00:00")
    Policy.objects.update(effect={**Policy.objects.get().effect, "decide": decide})
    page = chief.get(reverse("policy", args=["big refunds"]))
    assert "decides by itself: reject" in text(page)
    chief.post(reverse("policy-save"), {**page.context["typed"], "was": "big refunds", "do": "save"})
    assert Policy.objects.get().effect["decide"] == decide


def test_the_number_of_cases_leads_to_exactly_those_cases(chief):
    post(chief)
    refs = [opened(key=f"k{n}").ref for n in range(2)]
    address = f"{reverse('policy', args=['big refunds'])}#cases"
    assert f'<a href="{address}">2</a>' in text(chief.get(reverse("policies")))
    html = text(chief.get(reverse("policy", args=["big refunds"])))
    assert '<a href="#cases">2 cases in 7 days</a>' in html
    assert [ref in html for ref in refs] == [True, True]


def test_whoever_switches_a_rule_stays_where_they_are_in_the_list(chief):
    post(chief)
    kept = {"mode": "off", "q": "refunds", "after": "abc"}
    answer = chief.post(reverse("policy-switch", args=["big refunds"]), kept)
    assert answer["Location"] == f"{reverse('policies')}?q=refunds&after=abc"
    html = text(chief.get(reverse("policies"), {"q": "refunds"}))
    assert '<input type="hidden" name="q" value="refunds" />' in html


def test_a_rule_is_switched_with_one_click(chief):
    post(chief)
    address = reverse("policy-switch", args=["big refunds"])
    chief.post(address, {"mode": "off"})
    assert Policy.objects.get().mode == "off"
    assert chief.post(address, {"mode": "shadow", "back": "one"})["Location"].endswith(
        "/policies/big%20refunds/"
    )
    assert "only watches" in text(chief.get(reverse("policy", args=["big refunds"])))
    assert chief.post(address, {"mode": "explode"}).status_code == 404
    assert AuditEntry.objects.filter(verb="policy_off").count() == 1


def test_a_rule_that_watches_says_what_it_would_have_done(chief):
    post(chief, mode="shadow")
    opened()
    html = text(chief.get(reverse("policy", args=["big refunds"])))
    assert "1 case since it watches" in html
    assert Case.objects.get().queue == ""


def test_operators_look_and_change_nothing(ana):
    assert "Policies are made by administrators" in text(ana.get(reverse("policy-new")))
    assert "This is for operators" in text(post(ana))
    assert not Policy.objects.exists()
    assert "policy-switch" not in text(ana.get(reverse("policies")))
    assert ana.get(reverse("policy", args=["unknown"])).status_code == 404


def gifts(n):
    for each in range(n):
        case = made.opened(key=f"gift-{each}", **cast.gift(each + 1))
        decided = made.decided(case.id, key=f"d-{each}", proposal_id="P")
        made.reported(decided, report_id=f"r-{each}")


def test_equal_decisions_suggest_a_rule_that_watches_first(chief):
    gifts(8)
    html = text(chief.get(reverse("policies")))
    assert "8 cases were decided so by ana, none otherwise." in html
    (found,) = chief.get(reverse("policies")).context["suggested"]
    chief.post(reverse("policy-suggested", args=[found.id]), {"do": "take"})
    assert Policy.objects.get().mode == "shadow"
    assert "Suggested by" not in text(chief.get(reverse("policies")))


def test_a_suggestion_that_is_not_wanted_is_not_made_again(chief):
    gifts(8)
    (found,) = chief.get(reverse("policies")).context["suggested"]
    chief.post(reverse("policy-suggested", args=[found.id]), {"do": "dismiss"})
    assert not Policy.objects.exists()
    assert "Suggested by" not in text(chief.get(reverse("policies")))


def test_the_table_costs_the_same_at_one_rule_and_at_many(chief):
    post(chief)
    one = count(chief, reverse("policies"))
    for n in range(5):
        post(chief, name=f"rule {n}")
    assert count(chief, reverse("policies")) == one


def many(n):
    words = {"mode": "on", "effect": {"queue": "desk"}, "owner_id": "1", "owner_name": "ada"}
    rows = [
        Policy(
            name=f"rule {each:04}",
            position=each // 3,
            match={"tool": f"tool.{each}"},
            changed_at=made.NOON,
            **words,
        )
        for each in range(n)
    ]
    Policy.objects.bulk_create(rows)


def test_ten_thousand_rules_come_a_page_at_a_time_each_once_and_in_order(chief):
    many(250)
    seen, address = [], reverse("policies")
    for _page in range(3):
        answer = chief.get(address)
        seen += [rule.name for rule, _n in answer.context["rows"]]
        address = f"{reverse('policies')}?after={answer.context['after']}"
    assert seen == [f"rule {each:04}" for each in range(250)]
    assert answer.context["after"] is None
    assert "From the top" in text(answer)


def test_rules_are_found_by_name_tool_and_queue(chief):
    many(12)

    def found(words):
        return [rule.name for rule, _n in chief.get(reverse("policies"), {"q": words}).context["rows"]]

    assert found("rule 0003") == ["rule 0003"]
    assert found("TOOL.11 desk") == ["rule 0011"]
    assert len(found("ada")) == 12
    assert "No policy fits the filter." in text(chief.get(reverse("policies"), {"q": "nothing%_'"}))
    assert len(chief.get(reverse("policies"), {"after": "made-up"}).context["rows"]) == 12
