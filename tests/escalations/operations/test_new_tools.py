import pytest

from escalations import queries
from escalations.domain import plan
from escalations.domain.word import Word
from escalations.operations.new_tools import NewToolNeedsMore
from escalations.vocabulary import Action
from tests.escalations import cast, made

pytestmark = pytest.mark.django_db
CALL = [{"id": "s3", "tool": "traveller.call", "args": {"traveller": "T-5071"}}]


def edit(case, by=made.ANA, **more):
    return made.decided(case.id, "edit", by=by, steps=CALL, **more)


def test_a_tool_becomes_another_only_where_the_policy_says_so():
    """Check: edit cannot change the tool unless policy says so."""
    with pytest.raises(plan.BadEdit) as refused:
        edit(made.opened())
    assert refused.value.errors[0].code == "TOOL_IS_FIXED"
    cast.policy(effect={"tools_may_become": ["traveller.*"]})
    told = edit(made.opened(key="b", title="Another"))
    step = told.steps[2]
    assert (step.tool, step.edited, step.side_effect) == ("traveller.call", True, "write")
    assert step.idempotency_key != "key-s3"


def test_the_new_tools_own_rule_is_applied():
    """Check: edit cannot change the tool unless policy says so; the new tool's own rule is applied."""
    cast.policy(effect={"tools_may_become": ["traveller.*"]})
    cast.policy("calls", match={"tool": "traveller.call"}, effect={"quorum": 2}, position=200)
    case = made.opened()
    with pytest.raises(NewToolNeedsMore, match="2 people who agree"):
        edit(case)
    made.decided(case.id)


def test_the_preview_refuses_what_the_decision_would():
    case = made.opened()
    word = Word(action=Action.EDIT, proposal_id="A", choices={"s3": (True, None)}, tools={"s3": "rm"})
    assert queries.preview(case_id=case.id, word=word, decision_key="d").refused.code == "BAD_EDIT"
    cast.policy(effect={"tools_may_become": ["rm"]})
    other = made.opened(key="b", title="Another")
    assert queries.preview(case_id=other.id, word=word, decision_key="d").steps[2]["tool"] == "rm"


def test_two_who_want_another_tool_have_to_want_the_same():
    cast.policy(effect={"tools_may_become": ["traveller.*"], "quorum": 2})
    case = made.opened()
    edit(case)
    mail = [{"id": "s3", "tool": "traveller.mail", "args": {"traveller": "T-5071"}}]
    made.decided(case.id, "edit", by=made.BEN, key="d-2", steps=mail)
    assert queries.one(case_id=case.id, actor=made.ANA, at=made.NOON).decision == "disputed"
