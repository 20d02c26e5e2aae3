"""A hint reaches the group of the person's pages, after commit."""

import pytest

from console.kit import hints
from console.notices import announce
from tests.factories import NOON


@pytest.mark.django_db
def test_the_persons_pages_are_told_after_commit(monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(hints, "send", lambda group, *messages: sent.append((group, messages)))
    with django_capture_on_commit_callbacks(execute=True):
        announce.offered(person_id=7, at=NOON)
        assert sent == []
    ((group, (hint,)),) = sent
    assert group == announce.person_group(7) == "person.7"
    assert (hint["topic"], hint["type"]) == ("notices", "hint")


@pytest.mark.django_db
@pytest.mark.parametrize(("person_id", "group"), [(7, "person.7"), (None, announce.TEAMS)])
def test_the_outbox_is_told_to_whom_it_belongs(
    monkeypatch, django_capture_on_commit_callbacks, person_id, group
):
    sent = []
    monkeypatch.setattr(hints, "send", lambda group, *messages: sent.append((group, messages[0]["topic"])))
    with django_capture_on_commit_callbacks(execute=True):
        announce.outbox_changed(person_id=person_id, at=NOON)
    assert sent == [(group, "outbox")]
