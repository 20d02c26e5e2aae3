import pytest

from console.audit.queries import history
from escalations import operations, queries
from escalations.domain import lifecycle, package, permissions
from escalations.models import Case, Decision, Revision
from escalations.operations.delivery import NoSuchDecision
from escalations.operations.opening import IdempotencyConflict
from tests.escalations import made

pytestmark = pytest.mark.django_db


def test_opening_leaves_one_entry_and_one_hint(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        case = made.opened()
    assert len(callbacks) == 1
    (entry,) = history(subject=f"case:{case.ref.removeprefix('C-')}")
    assert (entry.verb, entry.actor_name, entry.at, entry.source) == (
        "opened",
        "trip-booker",
        made.NOON,
        "api",
    )


def test_cases_are_numbered_in_order():
    refs = [made.opened(key=f"k{n}").ref for n in range(3)]
    first = int(refs[0].removeprefix("C-"))
    assert refs == [f"C-{first + n}" for n in range(3)]


def test_a_repeated_opening_writes_nothing(django_capture_on_commit_callbacks):
    made.opened()
    with django_capture_on_commit_callbacks() as callbacks:
        again = operations.open_case(said=made.said(), by=made.AGENT, at=made.later(hours=1))
    assert (again.created, callbacks) == (False, [])
    assert len(history(subject=f"case:{Case.objects.get().number}")) == 1


def test_the_same_key_with_another_content_is_refused():
    made.opened()
    with pytest.raises(IdempotencyConflict):
        made.opened(title="Another")


def test_a_person_opens_no_case():
    with pytest.raises(permissions.NotYours):
        made.opened(by=made.ANA)


def test_a_revision_before_a_decision_supersedes_the_one_before():
    case = made.opened()

    after = made.revised(case.id, base_revision=1, title="Changed")

    assert (after.revision, after.decision, after.title) == (2, "open", "Changed")
    gone = Decision.objects.get()
    assert (gone.kind, gone.state, gone.revision, gone.action) == ("superseded", "superseded", 1, "")
    assert [row.number for row in Revision.objects.order_by("number")] == [1, 2]


def test_the_same_revision_again_changes_nothing():
    case = made.opened()
    made.revised(case.id, base_revision=1, title="Changed")
    assert made.revised(case.id, base_revision=1, title="Changed").revision == 2
    with pytest.raises(lifecycle.StaleRevision):
        made.revised(case.id, base_revision=1, title="Changed again")
    assert Revision.objects.count() == 2


def test_after_a_partial_outcome_the_rest_is_decided_as_the_next_revision():
    """Check: compensation 2 of 3 fails: PARTIAL, still open, rest of the plan kept."""
    case = made.opened()
    first = made.decided(case.id)
    made.reported(first, "partial")
    assert Case.objects.get().needs_attention

    after = made.revised(case.id, base_revision=1, title="The rest")

    assert (after.revision, after.decision, after.execution) == (2, "open", "not_started")
    assert not Case.objects.get().needs_attention
    second = made.decided(case.id, base_revision=2, key="d-2")
    assert second.args_digest != first.args_digest
    assert Decision.objects.filter(state="approved").count() == 2


@pytest.mark.parametrize("status", [None, "executed", "executing"])
def test_a_decision_without_a_bad_outcome_is_not_revised_away(status):
    case = made.opened()
    decided = made.decided(case.id)
    if status:
        made.reported(decided, status)
    with pytest.raises(lifecycle.NotAllowedNow):
        made.revised(case.id, base_revision=1)


def test_a_contradictory_revision_leaves_the_case_as_it_was():
    case = made.opened()
    with pytest.raises(package.BadPackage):
        made.revised(case.id, base_revision=1, proposals=[], allowed=["approve"])
    assert (Case.objects.get().revision, Decision.objects.count()) == (1, 0)


def test_a_withdrawn_case_is_nobodys_no():
    case = made.opened()
    for _ in range(2):
        after = operations.cancel(case_id=case.id, reason="Solved", by=made.AGENT, at=made.NOON)
    assert (after.decision, after.execution) == ("cancelled", "not_applicable")
    row = Decision.objects.get()
    assert (row.kind, row.action, row.by_kind, row.message) == ("cancelled", "", "", "Solved")
    with pytest.raises(lifecycle.AlreadyDecided) as refused:
        made.decided(case.id)
    assert str(refused.value).startswith("The agent withdrew it")


def test_what_is_decided_cannot_be_withdrawn():
    case = made.opened()
    made.decided(case.id)
    with pytest.raises(lifecycle.AlreadyDecided) as refused:
        operations.cancel(case_id=case.id, reason="", by=made.AGENT, at=made.NOON)
    assert refused.value.extra["winner"]["name"] == "ana"


def test_two_calls_of_one_run_are_two_cases_and_deciding_one_leaves_the_other():
    """Check: two parallel calls in one run keep separate ids: an answer never reaches the other call."""
    first = made.opened(key="a", session_id="run-1")
    second = made.opened(key="b", session_id="run-1")
    one = made.decided(first.id)
    assert Case.objects.get(pk=second.id).decision == "open"
    assert queries.decision_about(case_id=second.id, actor=made.AGENT, at=made.NOON) is None
    told = {"decision_id": one.decision_id, "args_digest": one.args_digest, "fence": None}
    with pytest.raises(NoSuchDecision):
        operations.acknowledge(case_id=second.id, by=made.AGENT, at=made.NOON, **told)
    other = made.decided(second.id)
    assert other.args_digest != one.args_digest  # the same steps of another case are not the same


def raised_again(*, key="again", at=made.NOON, **changes):
    return operations.open_case(said=made.said(key=key, **changes), by=made.AGENT, at=at)


def test_the_same_failed_call_after_a_reject_shows_the_earlier_decision():
    """Check: same failed call re-raised after reject shows the earlier decision and opens no second item."""
    case = made.opened()
    made.decided(case.id, "reject", message="Ask the carrier by phone")
    again = raised_again(at=made.later(minutes=2), trace_id="another-run")
    assert (again.created, again.escalation.id, again.escalation.decision) == (False, case.id, "rejected")
    assert Case.objects.count() == 1
    assert history(subject=f"case:{Case.objects.get().number}")[-1].verb == "raised_again"


def test_another_call_an_approval_an_old_reject_or_a_named_predecessor_opens_anew(settings):
    case = made.opened()
    made.decided(case.id, "reject")
    assert raised_again(key="b", title="Another").created
    assert not raised_again(key="c", at=made.later(hours=23)).created
    assert raised_again(key="d", at=made.later(hours=25)).created
    assert raised_again(key="e", predecessor=str(case.id)).created
    settings.REJECTION_STANDS_S = 0
    assert raised_again(key="f").created


def test_the_rejection_of_another_agent_is_none_of_ours():
    made.decided(made.opened(by=made.OTHER_AGENT).id, "reject")
    assert raised_again().created


def test_what_no_person_rejected_is_put_before_people_when_it_is_raised_again():
    due = made.later(hours=1).isoformat()
    made.opened(expires_at=due, on_timeout={"action": "reject"})
    operations.expire_one(at=made.later(hours=1))
    assert Case.objects.get().decision == "rejected"
    assert raised_again(at=made.later(hours=2)).created


def test_questions_that_read_alike_are_two_questions():
    asked = {"failure": None, "question": {"response_schema": {}}, "proposals": []}
    made.decided(made.opened(**asked).id, "reject")
    assert raised_again(**asked).created
