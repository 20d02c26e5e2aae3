import pytest

from console.audit.queries import history
from escalations import operations, queries
from escalations.domain import lifecycle, permissions, plan
from escalations.models import Case
from tests.escalations import made

pytestmark = pytest.mark.django_db


def undo():
    """Three steps that take back, in order, what three calls did."""
    steps = [
        made.step("c1", "hotel.cancel", args={"id": "H"}),
        made.step("c2", "fare.release", args={"id": "F"}, depends_on=["c1"]),
        made.step("c3", "card.refund", args={"id": "P"}),
    ]
    return {"id": "A", "kind": "compensate", "title": "Undo all", "steps": steps}


def halfway(status="partial"):
    case = made.opened(proposals=[undo()], failure=None, trigger="compensation_failed")
    decided = made.decided(case.id)
    steps = [{"id": "c1", "status": "succeeded"}, {"id": "c2", "status": "failed"}]
    made.reported(decided, status, steps=steps)
    return case


def rest(case, base_revision=1, by=made.ANA, at=made.NOON):
    return operations.open_rest(case_id=case.id, base_revision=base_revision, by=by, at=at)


def test_compensation_two_of_three_fails_and_the_rest_can_be_decided():
    """Check: compensation 2 of 3 fails: partial, still open, rest of the plan kept, its own effect unknown."""
    case = halfway()
    row = Case.objects.get()
    assert (row.execution, row.needs_attention) == ("partial", True)
    after = rest(case)
    assert (after.revision, after.decision, after.execution) == (2, "open", "not_started")
    shown = queries.case_page(ref=case.ref, actor=made.ANA, at=made.NOON)
    (proposal,) = shown.proposals
    assert [step.id for step in proposal.steps] == ["c2", "c3"]
    assert [(step.tool, step.unknown) for step in shown.steps[-2:]] == [
        ("hotel.cancel", False),
        ("fare.release", True),
    ]
    assert history(subject=f"case:{row.number}")[-1].verb == "rest_opened"


def test_what_may_have_happened_is_not_sent_again_and_what_did_not_is():
    case = halfway()
    rest(case)
    with pytest.raises(plan.BadEdit) as refused:
        made.decided(case.id, proposal_id="rest", base_revision=2, key="d-2")
    assert [error.code for error in refused.value.errors] == ["UNRECONCILED"]
    skip = [{"id": "c2", "run": False}]
    told = made.decided(case.id, "edit", proposal_id="rest", base_revision=2, key="d-2", steps=skip)
    assert [(step.id, step.run) for step in told.steps] == [("c2", False), ("c3", True)]
    assert told.steps[1].idempotency_key == "key-c3"
    made.reported(told, "executed", report_id="rep-2", steps=[{"id": "c3", "status": "succeeded"}])
    assert Case.objects.get().execution == "executed"


def test_the_agent_may_be_faster_and_then_its_revision_counts():
    case = halfway()
    made.revised(case.id, base_revision=1)
    with pytest.raises((lifecycle.StaleRevision, lifecycle.NotAllowedNow)):
        rest(case)
    assert Case.objects.get().revision == 2


@pytest.mark.parametrize("status", ["executed", "executing"])
def test_a_plan_that_is_done_or_under_way_has_no_rest(status):
    case = halfway(status)
    with pytest.raises(lifecycle.NotAllowedNow):
        rest(case)


def test_only_whoever_decides_puts_it():
    case = halfway()
    for stranger in (made.EVE, made.AGENT):
        with pytest.raises((permissions.NotYours, permissions.AgentsDoNotDecide)):
            rest(case, by=stranger)
