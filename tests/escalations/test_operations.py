"""Two at once, for real: threads with connections of their own, on whatever database the suite runs on."""

import json
import threading

import pytest
from django.db import connections

from console.audit import queries as audit
from console.kit.refusal import Refused
from escalations import contract, operations
from escalations.models import Case, Decision
from escalations.vocabulary import Paused
from tests.escalations import made

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


def together(*works):
    """Start all at the same moment; give what each returned, or the refusal it met."""
    ready = threading.Barrier(len(works))
    ends = [None] * len(works)

    def run(n, work):
        try:
            ready.wait(10)
            ends[n] = work()
        except Refused as refusal:
            ends[n] = refusal
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(n, work)) for n, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    return ends


def person(n):
    return type(made.ANA)(made.ANA.kind, str(100 + n), f"person {n}", made.ANA.roles)


def refused(ends, code):
    return [end for end in ends if isinstance(end, Refused) and end.code == code]


def test_of_two_operators_at_once_one_decides_and_the_other_is_told_and_kept():
    """Check: two operators decide at once: one decision row, one recorded losing attempt."""
    for round_ in range(5):
        case = made.opened(key=f"race-{round_}", title=f"Race {round_}")
        ends = together(
            lambda case=case: made.decided(case.id, by=made.ANA, key="a"),
            lambda case=case: made.decided(case.id, "reject", by=made.BEN, key="b"),
        )
        (lost,) = refused(ends, "ALREADY_DECIDED")
        (won,) = [end for end in ends if not isinstance(end, Refused)]
        assert lost.extra["winner"]["decision_id"] == str(won.decision_id)
        number = Case.objects.get(pk=case.id).number
        verbs = [entry.verb for entry in audit.history(subject=f"case:{number}")]
        assert sorted(verbs[1:]) == sorted([verbs[1], "decision_refused"])
        assert Decision.objects.filter(case_id=case.id).count() == 1
    assert audit.verify().holds


def test_one_click_that_arrives_many_times_decides_once():
    case = made.opened()
    said = made.decision()
    work = lambda: operations.decide(case_id=case.id, said=said, by=made.ANA, at=made.NOON)  # noqa: E731
    ends = together(*[work] * AT_ONCE)
    assert {end.decision.decision_id for end in ends} == {ends[0].decision.decision_id}
    assert [end.created for end in ends].count(True) == 1


def test_one_key_that_arrives_many_times_opens_one_case():
    said = made.said()
    work = lambda: operations.open_case(said=said, by=made.AGENT, at=made.NOON)  # noqa: E731
    ends = together(*[work] * AT_ONCE)
    assert {end.escalation.id for end in ends} == {Case.objects.get().pk}
    assert [end.created for end in ends].count(True) == 1


def test_a_person_and_the_deadline_never_both_decide():
    """Check: decide on the deadline tick: the person or the default, never both."""
    due = made.later(hours=1)
    for round_ in range(5):
        case = made.opened(
            key=f"tick-{round_}",
            title=f"Tick {round_}",
            expires_at=due.isoformat(),
            on_timeout={"action": "reject"},
        )
        together(
            lambda case=case: made.decided(case.id, by=made.ANA, at=due),
            lambda: operations.expire_one(at=due),
        )
        row = Decision.objects.get(case_id=case.id)
        assert row.by_kind in {"person", "default"}


def test_a_claim_goes_to_one():
    case = made.opened()
    ends = together(
        *[lambda n=n: operations.claim(case_id=case.id, by=person(n), at=made.NOON) for n in range(AT_ONCE)]
    )
    assert len(refused(ends, "HELD_BY_ANOTHER")) == AT_ONCE - 1


def test_a_new_revision_and_a_decision_at_once_leave_one_story():
    """Check: arguments change after the form opened: 409."""
    for round_ in range(5):
        case = made.opened(key=f"move-{round_}", title=f"Move {round_}")
        ends = together(
            lambda case=case: made.revised(case.id, base_revision=1, title="Changed"),
            lambda case=case: made.decided(case.id),
        )
        lost = [end for end in ends if isinstance(end, Refused)]
        assert [each.code for each in lost] in (["STALE_REVISION"], ["NOT_ALLOWED_NOW"])


def test_decisions_of_one_agent_get_numbers_without_gaps_or_doubles():
    cases = [made.opened(key=f"k{n}") for n in range(AT_ONCE)]
    together(*[lambda case=case: made.decided(case.id, "reject") for case in cases])
    assert sorted(Decision.objects.values_list("seq", flat=True)) == list(range(1, AT_ONCE + 1))
    assert audit.verify().holds


def test_two_processes_that_acknowledge_at_once_are_told_apart_by_their_fence():
    decided = made.decided(made.opened().id)
    together(*[lambda n=n: made.acknowledged(decided, fence=n) for n in range(AT_ONCE)])
    assert Decision.objects.get().fence == AT_ONCE - 1


def test_two_operators_who_decide_many_at_once_share_them_and_each_is_decided_once():
    """In opposite orders, so that locks would cross if more than one were held."""
    cases = [made.opened(key=f"b{n}", title=f"Many {n}") for n in range(40)]

    def bulk(by, verb, ids):
        items = [{"id": str(each)} for each in ids]
        body = {"key": f"{by.id}-{verb}", "verb": verb, "items": items, "message": "All of them."}
        return operations.bulk(said=contract.Bulk.read(json.dumps(body).encode()), by=by, at=made.NOON)

    ids = [case.id for case in cases]
    first, second = together(
        lambda: bulk(made.ANA, "reject", ids), lambda: bulk(made.BEN, "approve", list(reversed(ids)))
    )
    done = [each.id for answer in (first, second) for each in answer.results if each.done]
    lost = [each.code for answer in (first, second) for each in answer.results if not each.done]
    assert sorted(done) == sorted(ids)
    assert lost == ["ALREADY_DECIDED"] * len(ids)
    assert Decision.objects.count() == len(ids)
    assert audit.verify().holds


def test_what_was_rejected_and_is_raised_again_by_two_at_once_is_shown_to_both_and_opens_nothing():
    case = made.opened(key="first")
    made.decided(case.id, "reject")
    again = [made.said(key=f"again-{n}") for n in range(AT_ONCE)]
    ends = together(
        *[lambda said=said: operations.open_case(said=said, by=made.AGENT, at=made.NOON) for said in again]
    )
    assert {(end.escalation.id, end.created) for end in ends} == {(case.id, False)}
    assert Case.objects.count() == 1
    verbs = [entry.verb for entry in audit.history(subject=f"case:{Case.objects.get().number}")]
    assert verbs.count("raised_again") == AT_ONCE


def test_a_pause_and_a_default_at_once_leave_a_decision_before_it_or_none():
    due = made.later(hours=1)
    for round_ in range(5):
        case = made.opened(
            key=f"pause-{round_}",
            title=f"Pause {round_}",
            expires_at=due.isoformat(),
            on_timeout={"action": "reject"},
        )
        said = contract.HoldBack(reason="It runs wild.")
        together(
            lambda said=said: operations.pause(
                kind=Paused.AGENT, name="trip-booker", said=said, by=made.ANA, at=due
            ),
            lambda: operations.expire_one(at=due),
        )
        entries = audit.history(subject="agent:trip-booker")
        held = max(entry.seq for entry in entries if entry.verb.startswith("automatic_pause"))
        number = Case.objects.get(pk=case.id).number
        decided = [e.seq for e in audit.history(subject=f"case:{number}") if e.verb == "default_rejected"]
        assert all(seq < held for seq in decided)
        operations.unpause(kind=Paused.AGENT, name="trip-booker", by=made.ANA, at=due)
        operations.expire_one(at=due)
