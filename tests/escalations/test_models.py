"""What must never be true is forbidden by the database: each constraint is tried with a raw write."""

import pytest
from django.db import IntegrityError, transaction

from escalations import operations
from escalations.models import Case, Decision, Draft, Outcome, Revision
from tests.escalations import made

pytestmark = pytest.mark.django_db


@pytest.fixture
def case():
    return Case.objects.get(pk=made.opened().id)


@pytest.fixture
def decided(case):
    return Decision.objects.get(pk=made.decided(case.pk).decision_id)


def refused(write, *args, **more):
    with pytest.raises(IntegrityError), transaction.atomic():
        write(*args, **more)
    return True


@pytest.mark.parametrize(
    "columns",
    [
        {"decision": "maybe"},
        {"execution": "perhaps"},
        {"holder_id": "11"},
        {"lease_until": made.NOON},
        {"decision": "approved"},
        {"decided_at": made.NOON},
        {"execution": "executed"},
        {"execution": "not_applicable"},
        {"decision": "rejected", "decided_at": made.NOON},
        {"decision": "approved", "decided_at": made.NOON, "execution": "not_applicable"},
        {"decision": "approved", "decided_at": made.NOON, "execution": "failed"},
        {"needs_attention": True},
    ],
    ids=str,
)
def test_an_open_case_cannot_be_written_into_a_contradiction(case, columns):
    assert refused(Case.objects.update, **columns)


def test_a_decided_case_is_held_by_nobody(case, decided):
    assert refused(Case.objects.update, holder_id="11", lease_until=made.NOON)


def test_attention_is_what_the_outcome_says(case, decided):
    assert refused(Case.objects.update, execution="failed")
    assert Case.objects.update(execution="failed", needs_attention=True)
    assert refused(Case.objects.update, resolved_at=made.NOON)


def test_a_key_is_used_once_per_agent(case):
    assert refused(copy, case, number=99_999)


def test_a_number_is_used_once(case):
    assert refused(copy, case, key="another")


def test_a_revision_has_one_decision(decided):
    assert refused(copy, decided, seq=9, decision_key="another")
    decided.retracted_at = made.NOON
    decided.save()
    copy(decided, seq=9, decision_key="another", retracted_at=None)


def test_an_agents_sequence_has_no_doubles(decided):
    assert refused(copy, decided, revision=2, decision_key="another")


def test_a_decision_key_is_used_once_per_case(decided):
    assert refused(copy, decided, revision=2, seq=9)


@pytest.mark.parametrize(
    "columns",
    [
        {"kind": "rumour"},
        {"execution": "perhaps"},
        {"action": ""},
        {"by_kind": ""},
        {"kind": "expired"},
        {"delivered_at": made.later(seconds=-1)},
        {"retracted_at": made.NOON, "delivered_at": made.NOON},
        {"retracted_at": made.NOON, "acknowledged_at": made.NOON},
    ],
    ids=str,
)
def test_a_decision_cannot_be_written_into_a_contradiction(decided, columns):
    assert refused(Decision.objects.update, **columns)


def test_revisions_outcomes_and_drafts_have_no_doubles(case, decided):
    assert refused(copy, Revision.objects.get())
    assert refused(Revision.objects.update, number=0)
    told = {
        "case": case,
        "decision": decided,
        "report_id": "r",
        "content_digest": "",
        "reported_at": made.NOON,
    }
    Outcome.objects.create(status="executed", **told)
    assert refused(Outcome.objects.create, status="executed", **told)
    assert refused(Outcome.objects.update, status="fine")
    operations.save_draft(case_id=case.pk, revision=1, body={}, by=made.ANA, at=made.NOON)
    assert refused(copy, Draft.objects.get())


def test_what_was_decided_blocks_the_deletion_of_its_case(case, decided):
    with pytest.raises(Exception, match="protected"):
        case.delete()


def test_rows_are_named_as_people_name_them(case, decided):
    assert str(case) == f"C-{case.number}"
    assert str(decided).startswith("approved on revision 1")


def copy(row, **changes):
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    values.pop("id")
    return type(row).objects.create(**{**values, **changes})
