import pytest

from console.audit.queries import history
from escalations import operations
from escalations.domain import permissions
from escalations.models import Case, Draft, Note
from escalations.operations.notes import EmptyNote
from tests.escalations import made

pytestmark = pytest.mark.django_db


def test_a_note_is_for_the_next_person():
    case = made.opened()
    operations.add_note(case_id=case.id, text=" The carrier is slow\x00. ", by=made.ANA, at=made.NOON)
    note = Note.objects.get()
    assert (note.by_name, note.text) == ("ana", "The carrier is slow\ufffd.")
    assert history(subject=f"case:{Case.objects.get().number}")[-1].verb == "noted"


def test_an_empty_note_is_none():
    with pytest.raises(EmptyNote):
        operations.add_note(case_id=made.opened().id, text=" \n", by=made.ANA, at=made.NOON)


def test_a_draft_is_one_per_person_and_revision():
    case = made.opened()
    for points in (1, 2):
        body = {"steps": [{"id": "s2", "args": {"points_max": points}}]}
        operations.save_draft(case_id=case.id, revision=1, body=body, by=made.ANA, at=made.NOON)
    operations.save_draft(case_id=case.id, revision=1, body={}, by=made.BEN, at=made.NOON)
    assert Draft.objects.get(person_id=made.ANA.id).body["steps"][0]["args"]["points_max"] == 2
    assert Draft.objects.count() == 2


def test_a_draft_changes_nothing_about_the_case():
    case = made.opened()
    before = Case.objects.values().get()
    operations.save_draft(case_id=case.id, revision=1, body={"action": "approve"}, by=made.ANA, at=made.NOON)
    assert Case.objects.values().get() == before
    assert [entry.verb for entry in history(subject=f"case:{before['number']}")] == ["opened"]


def test_a_draft_is_thrown_away_by_its_owner_alone():
    case = made.opened()
    for who in (made.ANA, made.BEN):
        operations.save_draft(case_id=case.id, revision=1, body={}, by=who, at=made.NOON)
    operations.discard_draft(case_id=case.id, by=made.ANA)
    assert Draft.objects.get().person_id == made.BEN.id


def test_viewers_and_agents_write_nothing():
    case = made.opened()
    with pytest.raises(permissions.NotYours):
        operations.add_note(case_id=case.id, text="x", by=made.EVE, at=made.NOON)
    with pytest.raises(permissions.AgentsDoNotDecide):
        operations.save_draft(case_id=case.id, revision=1, body={}, by=made.AGENT, at=made.NOON)
