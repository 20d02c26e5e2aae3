import pytest

from console.audit.queries import history
from escalations import operations, queries
from escalations.contract import OpenCase
from escalations.domain import lifecycle
from escalations.domain.package import BadPackage
from escalations.models import Case, Decision
from telemetry.operations.intake import submission
from telemetry.operations.prepare import Knowledge
from telemetry.operations.store import store
from tests.escalations import cast, made
from tests.telemetry.calls import body
from tests.telemetry.calls import call as said

pytestmark = pytest.mark.django_db
DUE = made.later(hours=1)


def due(**more):
    return made.opened(expires_at=DUE.isoformat(), **more)


def test_only_overdue_cases_expire_and_only_once():
    due()
    assert not operations.expire_one(at=made.later(minutes=59))
    assert operations.expire_one(at=DUE)
    assert not operations.expire_one(at=DUE)
    row = Case.objects.get()
    assert (row.decision, row.execution) == ("expired", "not_applicable")


def test_an_expired_case_is_nobodys_no_for_agent_and_person():
    """Check: expired is never worded as a person's decision."""
    case = due()
    operations.expire_one(at=DUE)
    told = queries.decision_about(case_id=case.id, actor=made.AGENT, at=DUE)
    assert (told.kind, told.action, told.by, told.steps) == ("expired", None, None, ())
    assert history(subject=f"case:{Case.objects.get().number}")[-1].actor_kind == "system"
    with pytest.raises(lifecycle.AlreadyDecided, match="It expired at"):
        made.decided(case.id)


def test_on_the_tick_the_person_or_the_default_wins_and_never_both():
    """Check: decide on the deadline tick."""
    case = due(on_timeout={"action": "reject"})
    made.decided(case.id, at=DUE)
    assert not operations.expire_one(at=DUE)
    other = due(key="b", on_timeout={"action": "reject"})
    assert operations.expire_one(at=DUE)
    with pytest.raises(lifecycle.AlreadyDecided):
        made.decided(other.id, at=DUE)
    assert Decision.objects.count() == 2


def test_a_declared_reject_says_that_it_is_a_default():
    due(on_timeout={"action": "reject"})
    operations.expire_one(at=DUE)
    row = Decision.objects.get()
    assert (row.kind, row.action, row.by_kind, row.by_name) == (
        "decision",
        "reject",
        "default",
        "declared default",
    )
    assert "Nobody decided" in row.message
    assert Case.objects.get().decision == "rejected"


def test_a_declared_approval_runs_a_plan_of_reads():
    case = operations.open_case(
        said=as_open(made.reads_only(on_timeout={"action": "approve"}, expires_at=DUE.isoformat())),
        by=made.AGENT,
        at=made.NOON,
    ).escalation
    operations.expire_one(at=DUE)
    told = queries.decision_about(case_id=case.id, actor=made.AGENT, at=DUE)
    assert (told.action, told.by.kind, [step.tool for step in told.steps]) == (
        "approve",
        "default",
        ["upgrade.status"],
    )
    assert Case.objects.get().report_due_at is not None


def reported(tool, side_effect):
    one = said(tool=tool, side_effect=side_effect)
    store([submission(body(one), agent_id=7, key_id=1, at=made.NOON, knowledge=Knowledge())])


def test_a_tool_that_is_known_to_write_is_no_read_whatever_the_plan_says():
    asked = as_open(made.reads_only(on_timeout={"action": "approve"}, expires_at=DUE.isoformat()))
    reported("upgrade.status", "write")
    with pytest.raises(BadPackage) as refused:
        operations.open_case(said=asked, by=made.AGENT, at=made.NOON)
    assert [error.code for error in refused.value.errors] == ["DEFAULT_WOULD_WRITE"]


def test_what_becomes_known_after_the_opening_holds_back_the_default_too():
    asked = as_open(made.reads_only(on_timeout={"action": "approve"}, expires_at=DUE.isoformat()))
    operations.open_case(said=asked, by=made.AGENT, at=made.NOON)
    reported("upgrade.status", "idempotent_write")
    operations.expire_one(at=DUE)
    assert Case.objects.get().decision == "expired"


def test_a_default_that_would_write_is_refused_twice():
    case = due()
    revision = case_revision(case)
    revision.package = {**revision.package, "on_timeout": {"action": "approve", "proposal_id": "A"}}
    revision.save()
    operations.expire_one(at=DUE)
    assert Case.objects.get().decision == "expired"


def test_a_live_claim_delays_by_one_lease_at_most():
    """Check: auto job skips an item under a live claim."""
    case = due()
    operations.claim(case_id=case.id, by=made.ANA, at=made.later(minutes=58))
    assert not operations.expire_one(at=made.later(minutes=62))
    operations.claim(case_id=case.id, by=made.ANA, at=made.later(minutes=62))
    assert not operations.expire_one(at=made.later(minutes=64))
    assert operations.expire_one(at=made.later(minutes=65))
    assert Case.objects.get().holder_id == ""


def as_open(package):
    return OpenCase.model_validate_json(made.as_json(package))


def case_revision(case):
    return Case.objects.get(pk=case.id).revisions.get()


def test_a_default_says_whose_it_is():
    cast.policy(effect={"on_timeout": "reject"})
    due()
    operations.expire_one(at=DUE)
    assert "The default that the policy “upgrades” declared is “reject”." in Decision.objects.get().message
