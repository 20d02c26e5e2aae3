import pytest

from console.audit.queries import history
from escalations import operations, queries
from escalations.domain import lifecycle, permissions
from escalations.models import Case, Decision, Outcome
from escalations.operations.delivery import DigestMismatch
from escalations.operations.opening import IdempotencyConflict
from escalations.operations.outcomes import BadReport, NoteNeeded
from escalations.vocabulary import View
from tests.escalations import made

pytestmark = pytest.mark.django_db


@pytest.fixture
def decided():
    return made.decided(made.opened().id)


@pytest.mark.parametrize(
    "status", ["executing", "executed", "failed", "partial", "never_executed", "unknown"]
)
def test_the_case_says_what_the_agent_reports(decided, status):
    made.reported(decided, status)
    row = Case.objects.get()
    assert row.execution == Decision.objects.get().execution == status
    assert row.needs_attention == (status in {"failed", "partial", "unknown"})
    assert (row.report_due_at is None) == (status != "executing")
    assert history(subject=f"case:{row.number}")[-1].verb == f"reported_{status}"


def test_a_report_is_stored_once(decided):
    first = made.reported(decided, "executed")
    again = made.reported(decided, "executed", at=made.later(hours=1))
    assert (first.duplicate, again.duplicate, again.execution) == (False, True, "executed")
    with pytest.raises(IdempotencyConflict):
        made.reported(decided, "failed")
    assert Outcome.objects.count() == 1


def test_a_failed_execution_changes_row_badge_and_queue(decided):
    """Check: outcome `failed` after approve changes the row, badge and queue."""
    made.reported(decided, "failed")
    (row,) = queries.queue(view=View.ATTENTION, person_id="11", at=made.NOON).rows
    assert (row.decision, row.execution, row.decided_by) == ("approved", "failed", "ana")
    assert queries.rail_counts(person_id="11", at=made.NOON).attention == 1


def test_silence_is_said_after_a_while_and_a_late_word_replaces_it(decided):
    """Check: no outcome in N minutes raises "unknown"."""
    assert not operations.no_report_one(at=made.later(seconds=599))
    assert operations.no_report_one(at=made.later(seconds=600))
    assert not operations.no_report_one(at=made.later(seconds=600))
    assert Case.objects.get().execution == Decision.objects.get().execution == "no_report"
    assert Case.objects.get().needs_attention
    made.reported(decided, "executed", at=made.later(hours=1))
    assert Case.objects.get().execution == "executed"
    assert not Case.objects.get().needs_attention


def test_signs_of_life_put_the_alarm_off(decided):
    made.acknowledged(decided, at=made.later(seconds=500))
    assert not operations.no_report_one(at=made.later(seconds=1099))
    made.reported(decided, "executing", report_id="r0", at=made.later(seconds=1090))
    assert not operations.no_report_one(at=made.later(seconds=1689))
    assert operations.no_report_one(at=made.later(seconds=1690))


def test_a_final_outcome_stays(decided):
    made.reported(decided, "executed")
    with pytest.raises(lifecycle.NotAllowedNow):
        made.reported(decided, "failed", report_id="rep-2")
    assert Case.objects.get().execution == "executed"


def test_unknown_is_reconciled_later(decided):
    made.reported(decided, "unknown")
    made.reported(decided, "executed", report_id="rep-2")
    assert Case.objects.get().execution == "executed"


def test_a_report_about_other_steps_is_refused(decided):
    with pytest.raises(DigestMismatch):
        made.reported(decided, digest="0" * 64)
    with pytest.raises(BadReport):
        made.reported(decided, steps=[{"id": "s9", "status": "executed"}])
    with pytest.raises(permissions.NoSuchCase):
        made.reported(decided, by=made.OTHER_AGENT)
    assert Outcome.objects.count() == 0


def test_nothing_approved_has_no_outcome():
    decided = made.decided(made.opened().id, "reject")
    with pytest.raises(lifecycle.NotAllowedNow):
        made.reported(decided)


def test_the_outcome_of_an_earlier_revision_does_not_touch_the_next(decided):
    made.reported(decided, "partial")
    made.revised(decided.escalation_id, base_revision=1, title="Rest")
    with pytest.raises(lifecycle.StaleRevision):
        made.reported(decided, "failed", report_id="rep-2")
    assert made.reported(decided, "partial").duplicate
    assert Case.objects.get().execution == "not_started"


def test_who_reports_has_the_decision(decided):
    made.reported(decided, "executed", at=made.later(seconds=3))
    assert Decision.objects.get().acknowledged_at == made.later(seconds=3)
    assert queries.out_for(escalation_ids=[decided.escalation_id], at=made.later(hours=1)) == ()


def test_results_are_kept_item_by_item_and_neutralised(decided):
    items = [
        {"key": "P1", "status": "succeeded"},
        {"key": "P5", "status": "failed", "failure": {"class": "hard"}},
    ]
    step = {"id": "s2", "status": "partial", "items": items, "result": {"a\x00": "x\x00"}}
    made.reported(decided, "partial", steps=[step])
    row = Outcome.objects.get()
    assert row.steps[0]["items"][1]["failure"]["class"] == "hard"
    assert row.steps[0]["result"] == {"a\ufffd": "x\ufffd"}
    assert row.flags == ["nul"]


def test_attention_is_closed_by_hand_with_a_note(decided):
    made.reported(decided, "failed")
    with pytest.raises(NoteNeeded):
        operations.resolve(case_id=decided.escalation_id, note=" ", by=made.ANA, at=made.NOON)
    operations.resolve(case_id=decided.escalation_id, note="Refunded by phone", by=made.ANA, at=made.NOON)
    row = Case.objects.get()
    assert (row.execution, row.needs_attention, row.resolved_by) == ("failed", False, "ana")
    assert row.notes.get().text == "Refunded by phone"
    with pytest.raises(lifecycle.NotAllowedNow):
        operations.resolve(case_id=decided.escalation_id, note="again", by=made.ANA, at=made.NOON)
