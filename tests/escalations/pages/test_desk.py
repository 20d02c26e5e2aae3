"""What lies on an operator's desk is judged by the same rules as the decision itself."""

import pytest

from escalations import queries
from escalations.pages.desk import decision_key, desk
from tests.escalations import made

pytestmark = pytest.mark.django_db
ANA = "11"


def laid(typed=None, **changes):
    case = made.opened(**changes)
    page = queries.case_page(ref=case.ref, actor=made.ANA, at=made.NOON)
    return desk(page, typed, person_id=ANA)


def test_the_recommended_plan_lies_on_top_and_is_as_proposed():
    shown = laid()
    assert shown.chosen.proposal.id == "A"
    assert (shown.chosen.edits, shown.chosen.sound) == (0, True)
    assert shown.chosen.digest == shown.chosen.proposal.digest


def test_the_plan_a_person_chose_lies_on_top():
    assert laid({"plan": ["1"]}).chosen.proposal.id == "B"


def test_an_edit_is_shown_with_the_digest_its_decision_will_get():
    case = made.opened()
    page = queries.case_page(ref=case.ref, actor=made.ANA, at=made.NOON)
    shown = desk(page, {"p0s1/points_max": ["28000"]}, person_id=ANA).chosen
    edit = [{"id": "s2", "run": True, "args": {"flight": "MU5138", "points_max": 28000, "seat_pref": "any"}}]
    decided = made.decided(case.id, "edit", key=decision_key(page, ANA), steps=edit)

    assert [(each.path, each.old, each.new) for each in shown.steps[1].changes] == [
        ("points_max", 32000, 28000)
    ]
    assert shown.digest == decided.args_digest


def test_a_value_the_tool_does_not_take_is_marked_at_its_field():
    shown = laid({"p0s1/points_max": ["99999"]}).chosen
    marked = {each.label: each.error for each in shown.steps[1].form.leaves() if each.error}
    assert list(marked) == ["points_max"]
    assert not shown.sound
    assert shown.digest == ""


def test_what_cannot_be_read_is_kept_as_typed_and_marked():
    shown = laid({"p0s1/points_max": ["a lot"]}).chosen.steps[1]
    field = next(each for each in shown.form.leaves() if each.label == "points_max")
    assert (field.shown, bool(field.error), shown.sound) == ("a lot", True, False)


def test_setting_the_look_aside_that_a_write_needs_is_said_at_the_write():
    shown = laid({"p0s0.run": ["false"]}).chosen
    assert [each.run for each in shown.steps] == [False, True, True]
    assert shown.steps[1].faults
    assert not shown.sound


def test_setting_everything_aside_is_said_above_the_steps():
    shown = laid({f"p0s{n}.run": ["false"] for n in range(3)}).chosen
    assert shown.faults
    assert not shown.sound


def test_without_a_schema_arguments_are_json_and_must_be_an_object():
    broken = laid({"p0s0!json": ["{"]}).chosen.steps[0]
    assert (broken.raw, broken.sound, len(broken.faults)) == ("{", False, 1)
    no_object = laid({"p0s0!json": ["[1]"]}, key="case-2").chosen.steps[0]
    assert (no_object.sound, len(no_object.faults)) == (False, 1)


def test_a_question_without_an_answer_is_not_answered_and_false_is_an_answer():
    question = {"response_schema": {"type": "boolean"}}
    assert not laid(question=question).answered
    said = laid({"answer": ["false"]}, question=question, key="case-2")
    assert (said.answered, said.answer_value) == (True, False)


def test_a_decision_taken_back_gets_another_key():
    case = made.opened()
    page = queries.case_page(ref=case.ref, actor=made.ANA, at=made.NOON)
    assert decision_key(page, ANA) == decision_key(page, ANA)
    assert decision_key(page, ANA) != decision_key(page, "12")
