import pytest
from pydantic import ValidationError

from console.audit.queries import history
from escalations import operations
from escalations.domain import lifecycle, plan
from escalations.domain.digest import args_digest, edited_key
from escalations.domain.word import BadAnswer, ChangesNeedEdit, NothingChanged, ReasonNeeded
from escalations.models import Case, Decision
from escalations.operations.opening import IdempotencyConflict
from tests.escalations import made

pytestmark = pytest.mark.django_db


def test_an_approval_carries_the_plan_as_it_was_proposed():
    case = made.opened()

    decided = made.decided(case.id)

    assert [(step.id, step.run, step.edited) for step in decided.steps] == [
        ("s1", True, False), ("s2", True, False), ("s3", True, False),
    ]  # fmt: skip
    assert [step.idempotency_key for step in decided.steps] == ["key-s1", "upg-7f3c", "key-s3"]
    assert decided.args_digest == args_digest(
        case.id, 1, [step.model_dump(mode="json", by_alias=True) for step in decided.steps]
    )
    row = Case.objects.get()
    assert (row.decision, row.execution, row.decided_at) == ("approved", "not_started", made.NOON)


def test_an_edited_step_gets_a_key_of_the_decision_and_the_others_keep_theirs():
    case = made.opened()
    args = {"flight": "MU5138", "points_max": 28000, "seat_pref": "window"}

    decided = made.decided(case.id, "edit", steps=[{"id": "s2", "run": True, "args": args}])

    assert decided.steps[1].args == args
    assert decided.steps[1].edited
    assert decided.steps[1].idempotency_key == edited_key(decided.decision_id, "s2")
    assert decided.steps[0].idempotency_key == "key-s1"
    assert Case.objects.get().decision == "edited"


def test_edited_arguments_are_checked_against_the_tools_schema():
    case = made.opened()
    args = {"flight": "MU5138", "points_max": 99000, "seat_pref": "靠窗"}

    with pytest.raises(plan.BadEdit) as refused:
        made.decided(case.id, "edit", steps=[{"id": "s2", "args": args}])

    wrong = {error.field: (error.code, error.received) for error in refused.value.errors}
    assert wrong == {
        "steps.s2.args.points_max": ("MAXIMUM", 99000),
        "steps.s2.args.seat_pref": ("ENUM", "靠窗"),
    }
    assert Case.objects.get().decision == "open"


def test_the_same_decision_and_key_again_gives_the_stored_decision_and_another_is_refused():
    """Check: same decision + same key again returns the stored result with 200; a different one 409."""
    case = made.opened()
    first = operations.decide(case_id=case.id, said=made.decision(), by=made.ANA, at=made.NOON)

    again = operations.decide(case_id=case.id, said=made.decision(), by=made.ANA, at=made.later(seconds=9))

    assert (first.created, again.created, again.decision) == (True, False, first.decision)
    with pytest.raises(IdempotencyConflict):
        made.decided(case.id, "reject")
    with pytest.raises(IdempotencyConflict):
        made.decided(case.id, by=made.BEN)
    assert Decision.objects.count() == 1


def test_whoever_comes_second_is_told_the_winner_the_time_and_the_decision():
    """Check: two operators decide at once."""
    case = made.opened()
    made.decided(case.id)

    with pytest.raises(lifecycle.AlreadyDecided) as refused:
        made.decided(case.id, "reject", by=made.BEN, key="d-2", at=made.later(seconds=2))

    winner = refused.value.extra["winner"]
    assert (winner["name"], winner["decision"], winner["action"]) == ("ana", "approved", "approve")
    assert winner["decided_at"] == "2026-11-30T12:00:00.000+00:00"
    assert "ana decided first" in str(refused.value)
    assert Decision.objects.count() == 1
    lost = history(subject=f"case:{Case.objects.get().number}")[-1]
    assert (lost.verb, lost.actor_name, lost.detail["action"]) == ("decision_refused", "ben", "reject")
    assert lost.detail["message"] == "Ask the carrier by phone first."


def test_a_decision_about_an_earlier_revision_is_refused_and_kept_in_the_audit():
    """Check: arguments change after the form opened: 409."""
    case = made.opened()
    made.revised(case.id, base_revision=1, title="Changed")

    with pytest.raises(lifecycle.StaleRevision) as refused:
        made.decided(case.id)

    assert refused.value.extra == {"revision": 2, "base_revision": 1}
    assert Case.objects.get().decision == "open"
    assert history(subject=f"case:{Case.objects.get().number}")[-1].verb == "decision_refused"


def test_a_refused_attempt_tells_nothing_of_itself_while_votes_are_blind():
    case = made.opened()
    Case.objects.update(policy={"quorum": 2})
    made.revised(case.id, base_revision=1, title="Changed")
    Case.objects.update(policy={"quorum": 2})

    with pytest.raises(lifecycle.StaleRevision):
        made.decided(case.id, "reject")

    entry = history(subject=f"case:{Case.objects.get().number}")[-1]
    assert (entry.verb, entry.actor_name) == ("decision_refused", "ana")
    assert entry.detail == {"code": "STALE_REVISION", "base_revision": 1, "revision": 2}


def test_a_refused_attempt_is_told_in_full_once_the_votes_are_settled():
    case = made.opened()
    Case.objects.update(policy={"quorum": 2})
    for by in (made.ANA, made.BEN):
        made.decided(case.id, by=by, key=f"d-{by.name}")

    with pytest.raises(lifecycle.AlreadyDecided):
        made.decided(case.id, "reject", key="d-3")

    detail = history(subject=f"case:{Case.objects.get().number}")[-1].detail
    assert (detail["action"], detail["message"]) == ("reject", "Ask the carrier by phone first.")


@pytest.mark.parametrize("answer", [False, 0, "", None, {}, []])
def test_falsy_answers_are_answers(answer):
    """Check: answer `false`, `0`, empty object counts as an answer."""
    case = made.opened(question={"response_schema": {}}, proposals=[], allowed=["respond"])

    decided = made.decided(case.id, "respond", answer=answer)

    assert decided.answer == answer
    assert "answer" in decided.model_fields_set
    row = Decision.objects.get()
    assert (row.answered, row.answer, row.state) == (True, answer, "responded")
    assert Case.objects.get().execution == "not_applicable"


def test_a_question_without_an_answer_stays_open():
    case = made.opened(question={"response_schema": {"type": "boolean"}})
    with pytest.raises(BadAnswer):
        made.decided(case.id, "respond", message="Maybe")
    with pytest.raises(BadAnswer):
        made.decided(case.id, "respond", answer="yes")
    assert made.decided(case.id, "respond", answer=False).answer is False


@pytest.mark.parametrize("blank", ["  ", "\u200b\u200b", "\u202e", "\x00"])
def test_a_reason_that_nobody_can_see_is_none(blank):
    """Check: reject always carries a reason."""
    case = made.opened()
    with pytest.raises(ReasonNeeded):
        made.decided(case.id, "reject", message=blank, reason=blank)


def test_a_refusal_needs_a_reason_and_carries_it():
    """Check: reject always carries a reason."""
    case = made.opened()
    with pytest.raises(ReasonNeeded):
        made.decided(case.id, "reject", message=" ")
    assert made.decided(case.id, "reject", message="", reason="Too costly").message == "Too costly"


def test_two_words_about_one_step_are_refused_because_one_of_them_would_be_lost():
    with pytest.raises(ValidationError, match="spoken of once"):
        made.decision("edit", steps=[{"id": "s3", "run": True}, {"id": "s3", "run": False}])


def test_an_approval_with_changes_and_an_edit_without_any_are_refused():
    case = made.opened()
    with pytest.raises(ChangesNeedEdit):
        made.decided(case.id, "approve", steps=[{"id": "s3", "run": False}])
    with pytest.raises(NothingChanged):
        made.decided(case.id, "edit", steps=[{"id": "s3", "run": True}])


def test_a_case_can_only_be_decided_as_its_agent_can_take_it():
    case = made.opened(allowed=["approve", "reject"])
    with pytest.raises(lifecycle.ActionNotOffered):
        made.decided(case.id, "respond", message="hello")


def test_a_decision_is_taken_back_within_the_undo_window_and_not_after(settings):
    settings.UNDO_WINDOW_S = 10
    case = made.opened()
    first = made.decided(case.id)

    operations.retract(case_id=case.id, by=made.ANA, at=made.later(seconds=9))

    row = Case.objects.get()
    assert (row.decision, row.execution, row.decided_at) == ("open", "not_started", None)
    second = made.decided(case.id, "reject", key="d-2", at=made.later(seconds=9))
    assert second.decision_id != first.decision_id
    with pytest.raises(lifecycle.TooLateToUndo):
        operations.retract(case_id=case.id, by=made.ANA, at=made.later(seconds=19))
    verbs = [entry.verb for entry in history(subject=f"case:{row.number}")]
    assert verbs == ["opened", "approved", "retracted", "rejected"]


def test_the_deadline_does_not_stop_a_person_as_long_as_the_row_is_open():
    """Check: never an error for a just-in-time answer."""
    case = made.opened()
    assert made.decided(case.id, at=made.later(days=30)).action == "approve"


def test_a_required_claim_stops_everybody_but_its_holder(settings):
    settings.REQUIRE_CLAIM = True
    case = made.opened()
    with pytest.raises(lifecycle.NotAllowedNow):
        made.decided(case.id)
    operations.claim(case_id=case.id, by=made.ANA, at=made.NOON)
    with pytest.raises(lifecycle.HeldByAnother):
        made.decided(case.id, by=made.BEN)
    assert made.decided(case.id).by.name == "ana"
    assert Case.objects.get().holder_id == ""
