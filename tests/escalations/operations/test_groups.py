import pytest

from escalations import contract, operations, queries
from escalations.models import Case
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db


def three():
    return [made.opened(key=f"k{n}", title=f"Upgrade {n}") for n in range(3)]


def cause():
    return Case.objects.order_by("number").values_list("fingerprint", flat=True).first()


def decide(cases, action="approve", *, by=made.ANA, key="g-1", **more):
    items = [{"id": str(case.id), "base_revision": 1} for case in cases]
    told = {"key": key, "action": action, "items": items, **more}
    said = contract.DecideGroup.model_validate_json(made.as_json(told))
    return operations.decide_group(fingerprint=cause(), said=said, by=by, at=made.NOON)


def test_causes_with_more_than_one_open_case_are_groups():
    first, *_ = three()
    made.opened(key="alone", failure={"call_id": "c", "tool": "x"}, proposals=[])
    operations.claim(case_id=first.id, by=made.ANA, at=made.NOON)
    (group,) = queries.groups(at=made.NOON).groups
    assert (group.tool, group.failure_class, group.cases, group.held, group.agents) == (
        "upgrade.request",
        "unknown_outcome",
        3,
        1,
        1,
    )


def test_one_decision_has_an_answer_for_each_and_names_who_joined():
    looked_at = three()
    newcomer = made.opened(key="late", title="Upgrade 4")
    operations.claim(case_id=looked_at[0].id, by=made.BEN, at=made.NOON)
    made.decided(looked_at[1].id, by=made.BEN)
    answer = decide(looked_at)
    assert [(each.done, each.code) for each in answer.results] == [
        (False, "HELD_BY_ANOTHER"),
        (False, "ALREADY_DECIDED"),
        (True, ""),
    ]
    assert [each.ref for each in answer.newcomers] == [newcomer.ref]
    assert Case.objects.get(pk=newcomer.id).decision == "open"


def test_the_same_key_again_decides_nothing_twice():
    cases = three()
    assert decide(cases) == decide(cases)


def test_a_case_of_another_cause_is_not_decided_along():
    three()
    other = made.opened(key="other", failure={"call_id": "c", "tool": "x"})
    answer = decide([other], "reject", message="No.")
    assert [each.code for each in answer.results] == ["NOT_IN_GROUP"]
    assert Case.objects.get(pk=other.id).decision == "open"


def test_where_two_have_to_agree_the_group_keeps_votes():
    cast.policy(effect={"quorum": 2})
    answer = decide(three())
    assert [each.extra["vote"]["votes"] for each in answer.results] == [1, 1, 1]
    decide(three_again(), by=made.BEN, key="g-2")
    assert set(Case.objects.values_list("decision", flat=True)) == {"approved"}


def three_again():
    return [queries.one(case_id=row.pk, actor=made.ANA, at=made.NOON) for row in Case.objects.all()]


def test_one_answer_for_all_reaches_each():
    cases = three()
    decide(cases, "respond", message="Ask again tomorrow.")
    told = {queries.decision_about(case_id=each.id, actor=made.AGENT, at=made.NOON).message for each in cases}
    assert told == {"Ask again tomorrow."}


def test_an_edit_is_never_for_a_group():
    with pytest.raises(ValueError, match="edit one case at a time"):
        decide(three(), "edit")


def test_a_newcomer_of_a_cause_is_hinted_at(django_capture_on_commit_callbacks, monkeypatch):
    sent = []
    monkeypatch.setattr("console.kit.hints.send", lambda _group, message: sent.append(message))
    with django_capture_on_commit_callbacks(execute=True):
        made.opened(key="a")
    with django_capture_on_commit_callbacks(execute=True):
        made.opened(key="b", title="Another of them")
    assert [each["id"] for each in sent if each["topic"] == "groups"] == [cause()]
