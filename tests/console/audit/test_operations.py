"""One write, one entry; and no entry can be changed, dropped or added unseen."""

from datetime import UTC, datetime

import pytest
from django.db import transaction

from console.audit.models import AuditEntry, AuditHead
from console.audit.operations import record
from console.audit.queries import entries, history, verify
from console.kit.actor import Actor, ActorKind

AT = datetime(2026, 11, 30, 14, 6, 31, tzinfo=UTC)
WREN = Actor(ActorKind.PERSON, "7", "wren")

pytestmark = pytest.mark.django_db


def told(subject="case:1", verb="claimed", **more):
    return record(subject=subject, verb=verb, actor=WREN, at=AT, **more)


def test_an_entry_says_who_did_what_when():
    told(before={"state": "open"}, after={"state": "approved"}, source="page", detail={"plan": "A"})
    (entry,) = history(subject="case:1")
    assert (entry.verb, entry.actor_name, entry.at, entry.source) == ("claimed", "wren", AT, "page")
    assert entry.before != entry.after
    assert entry.detail == {"plan": "A"}


def test_a_whole_chain_proves_itself():
    for n in range(5):
        told(subject=f"case:{n % 2}")
    assert verify().entries == 5
    assert verify().breaks == ()


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (lambda: AuditEntry.objects.filter(seq=2).update(actor_name="heron"), "entry 2 was changed"),
        (lambda: AuditEntry.objects.filter(seq=2).update(detail={"x": 1}), "entry 2 was changed"),
        (lambda: AuditEntry.objects.filter(seq=2).delete(), "entry 3 stands at place 2"),
        (lambda: AuditEntry.objects.filter(seq=3).delete(), "the end of the chain is missing"),
        (lambda: AuditEntry.objects.filter(seq=3).update(hash="0" * 64), "entry 3 was changed"),
        (lambda: AuditHead.objects.update(seq=9), "the head says 9 entries, 3 were found"),
    ],
)
def test_tampering_is_named(tamper, said):
    for _ in range(3):
        told()
    tamper()
    assert any(said in fault for fault in verify().breaks)


def test_hostile_text_neither_breaks_the_entry_nor_the_chain():
    told(detail={"why\x00": "\ud800", "n": float("nan"), "big": 2**80})
    assert verify().holds
    assert history(subject="case:1")[0].detail["n"] == "nan"


def test_pages_of_the_audit_follow_on_from_each_other():
    for _ in range(5):
        told()
    first = entries(limit=3)
    second = entries(limit=3, after=first.after)
    assert [entry.seq for entry in first.rows + second.rows] == [5, 4, 3, 2, 1]
    assert second.after is None


@pytest.mark.django_db(transaction=True)
def test_an_entry_outside_a_transaction_is_our_bug():
    with pytest.raises(RuntimeError, match="inside the transaction"):
        told()


@pytest.mark.django_db(transaction=True)
def test_an_entry_falls_with_the_write_it_tells_of():
    with transaction.atomic():
        told()
        transaction.set_rollback(True)
    with transaction.atomic():
        told()
    assert verify().entries == 1
    assert verify().holds
