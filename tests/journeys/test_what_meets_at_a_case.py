"""Everything that can meet at one case does, at the same moment, on whichever database the tests run."""

import pytest

from console.audit.queries import history
from console.kit.actor import Actor, ActorKind
from escalations import contract, operations
from escalations.models import Case, Decision, Vote
from escalations.operations.rows import MovedUnderneath
from escalations.vocabulary import Paused, PolicyMode, Source
from tests.escalations import cast, made
from tests.escalations.racing import codes, race

pytestmark = pytest.mark.django_db(transaction=True)
DUE = made.later(hours=1)
ROUNDS = range(4)
CROWD = [Actor(ActorKind.PERSON, str(100 + n), f"p{n}", frozenset({"operator"})) for n in range(5)]


def verbs(case):
    return [entry.verb for entry in history(subject=f"case:{case.ref.removeprefix('C-')}")]


def decide(case, by=made.ANA, key="d-1", action="approve", at=made.NOON, **more):
    return lambda: made.decided(case.id, action, by=by, key=key, at=at, **more)


def decisions(case):
    return list(Decision.objects.filter(case_id=case.id, retracted_at__isnull=True))


def swept(do_one):
    """Do one due thing as the sweep does: who came first is looked at the next time."""
    try:
        return do_one()
    except MovedUnderneath:
        return do_one()


def due(n, **more):
    return made.opened(key=f"k{n}", title=f"Case {n}", expires_at=DUE.isoformat(), **more)


def test_several_operators_decide_at_once_and_one_does():
    """Check: two operators decide at once: one 200, one 409 naming winner; one decision row, losing attempts kept."""
    case = made.opened()
    results = race(*[decide(case, by=who, key=who.id) for who in CROWD])
    (won,) = [each for each in results if isinstance(each, contract.Decision)]
    lost = [each for each in results if not isinstance(each, contract.Decision)]
    assert codes(lost) == ["ALREADY_DECIDED"] * 4
    assert {each.extra["winner"]["name"] for each in lost} == {won.by.name}
    assert all(each.extra["winner"]["decided_at"] and each.extra["winner"]["decision"] for each in lost)
    assert [row.pk for row in decisions(case)] == [won.decision_id]
    assert verbs(case).count("decision_refused") == 4


def test_one_key_at_once_is_one_decision():
    """Check: same decision and same key again returns the stored result."""
    case = made.opened()
    results = race(*[decide(case)] * 5)
    assert {each.decision_id for each in results} == {decisions(case)[0].pk}
    assert verbs(case).count("approved") == 1


def test_one_key_with_different_words_is_one_decision_and_conflicts():
    """Check: same decision and same key again returns the stored result; a different one 409."""
    case = made.opened()
    results = race(decide(case), decide(case, action="reject"), decide(case), decide(case, action="reject"))
    assert codes(results) == ["IDEMPOTENCY_CONFLICT"] * 2
    assert len(decisions(case)) == 1


@pytest.mark.parametrize("n", ROUNDS)
def test_on_the_tick_it_is_the_person_or_the_default_and_never_both(n):
    """Check: decide on the deadline tick: the person or the default, never both."""
    case = due(n, on_timeout={"action": "reject"})
    person, *_ = race(decide(case, at=DUE), *[lambda: operations.expire_one(at=DUE)] * 2)
    (row,) = decisions(case)
    by_person = isinstance(person, contract.Decision)
    assert row.by_kind == ("person" if by_person else "default")
    assert codes([person]) == ([] if by_person else ["ALREADY_DECIDED"])


@pytest.mark.parametrize("n", ROUNDS)
def test_an_agent_withdraws_or_a_person_decides(n):
    case = due(n)

    def cancel():
        return operations.cancel(case_id=case.id, reason="", by=made.AGENT, at=made.NOON)

    results = race(decide(case), cancel)
    (row,) = decisions(case)
    assert row.state in {"approved", "cancelled"}
    assert codes(results) == ["ALREADY_DECIDED"]


@pytest.mark.parametrize("n", ROUNDS)
def test_a_revision_or_a_decision_comes_first_and_neither_is_lost(n):
    """Check: arguments change after the form opened: 409."""
    case = due(n)
    person, agent = race(decide(case), lambda: made.revised(case.id, base_revision=1, title=f"Changed {n}"))
    row = Case.objects.get(pk=case.id)
    if codes([person]):
        assert codes([person]) == ["STALE_REVISION"]
        assert (row.revision, row.decision) == (2, "open")
    else:
        assert codes([agent]) == ["NOT_ALLOWED_NOW"]
        assert (row.revision, row.decision) == (1, "approved")


def test_several_claim_at_once_and_one_has_it():
    case = made.opened()
    results = race(
        *[lambda who=who: operations.claim(case_id=case.id, by=who, at=made.NOON) for who in CROWD]
    )
    assert codes(results) == ["HELD_BY_ANOTHER"] * 4
    (claimed,) = [each for each in results if isinstance(each, contract.Claimed)]
    assert Case.objects.get().holder_name == claimed.holder
    assert verbs(case).count("claimed") == 1


@pytest.mark.parametrize("n", ROUNDS)
def test_what_is_taken_back_was_not_sent_and_what_was_sent_is_not_taken_back(n, settings):
    settings.UNDO_WINDOW_S = 60
    case = due(n)
    decided = made.decided(case.id)
    at = made.later(seconds=59)

    def deliver():
        return operations.mark_delivered(decision_ids=[decided.decision_id], via=Source.SOCKET, at=at)

    taken_back, sent = race(lambda: operations.retract(case_id=case.id, by=made.ANA, at=at), deliver)
    row = Decision.objects.get(pk=decided.decision_id)
    if codes([taken_back]):
        assert codes([taken_back]) == ["TOO_LATE_TO_UNDO"]
        assert (sent, row.retracted_at) == (1, None)
        assert row.delivered_at is not None
    else:
        assert (sent, row.delivered_at) == (0, None)
        assert Case.objects.get(pk=case.id).decision == "open"


def test_votes_at_once_are_all_counted_and_decide_once():
    """Check: quorum outcome is its own field, votes are separate rows."""
    cast.policy(effect={"quorum": 3})
    case = made.opened()
    results = race(*[decide(case, by=who, key=who.id) for who in CROWD])
    assert codes(results) == ["ALREADY_DECIDED"] * 2
    (row,) = decisions(case)
    assert len(row.by_name.split(", ")) == 3
    assert Vote.objects.count() == 3


def test_one_person_votes_once_however_often_they_press():
    cast.policy(effect={"quorum": 2})
    case = made.opened()
    results = race(*[decide(case, key=f"d-{n}") for n in range(4)])
    assert codes(results) == ["ALREADY_VOTED"] * 3
    assert Vote.objects.count() == 1


@pytest.mark.parametrize("n", ROUNDS)
def test_a_policy_or_a_person_decides(n):
    cast.policy("gifts", match=cast.GIVES, effect=cast.GIVING)
    case = made.opened(key=f"k{n}", **cast.gift(n + 1))
    person, *_ = race(
        decide(case, proposal_id="P"), *[lambda: operations.decide_by_policy_one(at=made.NOON)] * 2
    )
    (row,) = decisions(case)
    assert row.by_kind == ("policy" if codes([person]) else "person")


@pytest.mark.parametrize("n", ROUNDS)
def test_nothing_is_decided_by_policy_after_somebody_held_it_back(n):
    cast.policy("gifts", match=cast.GIVES, effect=cast.GIVING)
    case = made.opened(key=f"k{n}", **cast.gift(n + 1))
    said = contract.HoldBack(reason="Stop.")

    def hold_back():
        return operations.pause(kind=Paused.POLICY, name="gifts", said=said, by=made.ANA, at=made.NOON)

    race(lambda: operations.decide_by_policy_one(at=made.NOON), hold_back)
    (paused,) = [entry.seq for entry in history(subject="policy:gifts") if "paused" in entry.verb]
    decided = [
        entry.seq
        for entry in history(subject=f"case:{case.ref.removeprefix('C-')}")
        if entry.verb == "policy_approved"
    ]
    assert all(seq < paused for seq in decided)
    assert len(decisions(case)) == len(decided)


@pytest.mark.parametrize("n", ROUNDS)
@pytest.mark.parametrize("how", ["off", "changed", "dropped"])
def test_a_policy_decides_nothing_after_it_was_switched_off_changed_or_dropped(how, n):
    cast.policy("gifts", match=cast.GIVES, effect=cast.GIVING)
    case = made.opened(key=f"k{n}", **cast.gift(n + 1))
    changes = {
        "off": lambda: operations.switch_policy(
            name="gifts", mode=PolicyMode.OFF, by=cast.ADMIN, at=made.NOON
        ),
        "changed": lambda: cast.policy("gifts", match=cast.GIVES, effect={"queue": "people"}),
        "dropped": lambda: operations.drop_policy(name="gifts", by=cast.ADMIN, at=made.NOON),
    }
    race(*[lambda: swept(lambda: operations.decide_by_policy_one(at=made.NOON))] * 2, changes[how])
    changed = history(subject="policy:gifts")[-1].seq
    entries = history(subject=f"case:{case.ref.removeprefix('C-')}")
    decided = [entry.seq for entry in entries if entry.verb == "policy_approved"]
    assert all(seq < changed for seq in decided)
    assert len(decisions(case)) == len(decided)


def test_a_case_that_opens_while_its_policy_changes_keeps_one_copy_of_one_version():
    effects = [{"queue": f"q{n}", "quorum": n, "deadline_s": 600 * n} for n in (2, 3, 4)]
    cast.policy(effect=effects[0])
    opens = [lambda n=n: made.opened(key=f"k{n}", title=f"Case {n}") for n in range(6)]
    race(*opens[:3], *[lambda each=each: cast.policy(effect=each) for each in effects[1:]], *opens[3:])
    for row in Case.objects.all():
        kept = row.policy
        assert {name: kept[name] for name in effects[0]} in effects
        assert row.queue == kept["queue"]
        assert row.expires_at == made.later(seconds=kept["deadline_s"])
    assert Case.objects.count() == 6


def test_one_name_that_several_administrators_use_at_once_is_one_policy_and_one_team():
    cast.person("ana", "operator")
    cast.person("ben", "operator")
    results = race(*[cast.policy] * 4, *[cast.team] * 4)
    assert codes(results) == []
    assert sorted(each.version for each in results[:4]) == [1, 2, 3, 4]
    assert sorted(each.version for each in results[4:]) == [1, 2, 3, 4]
    for subject in ("policy:upgrades", "team:desk"):
        assert [entry.verb.split("_")[1] for entry in history(subject=subject)] == [
            "made",
            "set",
            "set",
            "set",
        ]


@pytest.mark.parametrize("n", ROUNDS)
def test_nobody_is_told_of_a_case_after_it_is_decided(n):
    """Check: acked or decided item is never paged again; an old timer wakes and does nothing."""
    cast.policy(effect={"chain": [{"do": "notify", "person": "x"}, {"do": "notify", "person": "y"}]})
    case = due(n)
    race(decide(case), *[lambda: operations.chain_one(at=made.NOON)] * 3)
    found = verbs(case)
    assert "chain_step" not in found[found.index("approved") :]


def test_one_key_opens_one_case_however_many_processes_send_it():
    results = race(*[made.opened] * 5)
    assert {each.id for each in results} == {Case.objects.get().pk}


def test_two_who_decide_a_group_at_once_decide_every_case_once():
    cases = [due(n) for n in range(4)]
    items = [{"id": str(case.id), "base_revision": 1} for case in cases]
    fingerprint = Case.objects.values_list("fingerprint", flat=True).first()

    def decide_all(who):
        told = {"key": f"g-{who.id}", "action": "approve", "items": items}
        said = contract.DecideGroup.model_validate_json(made.as_json(told))
        return operations.decide_group(fingerprint=fingerprint, said=said, by=who, at=made.NOON)

    answers = race(lambda: decide_all(made.ANA), lambda: decide_all(made.BEN))
    done = [sum(each.results[n].done for each in answers) for n in range(4)]
    assert done == [1, 1, 1, 1]
    assert [len(decisions(case)) for case in cases] == [1, 1, 1, 1]
