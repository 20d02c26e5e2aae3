import pytest

import switchboard
from switchboard._canonical import args_digest
from switchboard._mailbox import Mailbox


def row(**more):
    said = {
        "kind": "decision", "decision_id": "d", "escalation_id": "c", "revision": 1, "seq": 1, "action": "approve",
        "steps": [{"id": "s", "tool": "t", "args": {"a": 1}, "idempotency_key": "k", "run": True}], "message": "",
    }  # fmt: skip
    said |= more
    return {"args_digest": args_digest(said["escalation_id"], said["revision"], said["steps"]), **said}


@pytest.fixture
def mailbox():
    return Mailbox()


def test_everybody_who_waits_gets_the_decision_once(mailbox):
    one, two, other = mailbox.watch("c", 1), mailbox.watch("c", 1), mailbox.watch("x", 1)
    assert mailbox.deliver(row())
    assert one.future.result(0).approved
    assert two.future.result(0).approved
    assert not other.future.done()
    assert not mailbox.deliver(row())
    assert mailbox.ids() == ("x",)


def test_a_decision_about_an_older_revision_is_not_an_answer(mailbox):
    waiter = mailbox.watch("c", 2)
    assert not mailbox.deliver(row())
    assert not waiter.future.done()
    assert mailbox.deliver(row(revision=2))


def test_a_decision_about_a_newer_revision_ends_the_wait_without_approving_anything(mailbox):
    waiter = mailbox.watch("c", 1)
    mailbox.deliver(row(revision=2))
    with pytest.raises(switchboard.Conflict, match="revision 2"):
        waiter.future.result(0)


def test_changed_arguments_are_refused(mailbox):
    waiter = mailbox.watch("c", 1)
    said = row()
    said["steps"][0]["args"]["a"] = 2
    assert mailbox.deliver(said)
    with pytest.raises(switchboard.DigestMismatch, match="Nothing may be run"):
        waiter.future.result(0)


@pytest.mark.parametrize(
    "broken",
    [
        {"kind": "maybe"},
        {"action": "perhaps"},
        {"action": None},
        {"decision_id": None},
        {"steps": [{"id": 1}]},
    ],
)
def test_what_cannot_be_understood_is_an_error_and_never_an_answer(mailbox, broken):
    waiter = mailbox.watch("c", 1)
    assert mailbox.deliver({**row(), **broken})
    with pytest.raises(switchboard.BadAnswer):
        waiter.future.result(0)


@pytest.mark.parametrize(
    "rubbish", [{}, {"escalation_id": "c"}, {"escalation_id": 3, "revision": 1}, {"revision": 1}]
)
def test_a_row_about_nothing_reaches_nobody(mailbox, rubbish):
    waiter = mailbox.watch("c", 1)
    assert not mailbox.deliver(rubbish)
    assert not waiter.future.done()


def test_who_has_given_up_is_forgotten(mailbox):
    waiter = mailbox.watch("c", 1)
    mailbox.unwatch(waiter)
    mailbox.unwatch(waiter)
    assert len(mailbox) == 0
    cancelled = mailbox.watch("c", 1)
    cancelled.future.cancel()
    assert mailbox.deliver(row())


def test_it_knows_what_is_new_and_what_must_be_asked_for():
    changes = []
    mailbox = Mailbox(lambda: changes.append(1))
    mailbox.watch("a", 1)
    mailbox.watch("b", 3, ask=True)
    mailbox.watch("b", 2)
    assert len(changes) == 3
    assert sorted(mailbox.fresh()) == ["a", "b"]
    assert mailbox.fresh() == ()
    assert mailbox.asked() == ("b",)
    assert mailbox.asked() == ()
    assert (mailbox.revision("b"), mailbox.revision("nobody")) == (2, 0)


def test_every_wait_can_be_ended_with_an_error(mailbox):
    waiters = [mailbox.watch(name, 1) for name in "abc"]
    mailbox.fail_all(switchboard.Closed("over"))
    for waiter in waiters:
        with pytest.raises(switchboard.Closed):
            waiter.future.result(0)
