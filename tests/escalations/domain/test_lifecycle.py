from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from uuid import uuid4

import pytest

from escalations.domain import lifecycle
from escalations.vocabulary import Action, Decision, Execution, Reported

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LEASE = timedelta(minutes=5)
OPEN = lifecycle.State(
    revision=1, decision=Decision.OPEN, execution=Execution.NOT_STARTED, expires_at=NOON + timedelta(hours=1)
)
WON = lifecycle.Winner(
    decision_id=uuid4(),
    revision=1,
    state=Decision.APPROVED,
    action=Action.APPROVE,
    kind="person",
    name="ana",
    decided_at=NOON,
)
APPROVED = replace(OPEN, decision=Decision.APPROVED, winner=WON)


def later(**more):
    return NOON + timedelta(**more)


def claim(state=OPEN, who="7", at=NOON, **more):
    return lifecycle.claim(state, who=who, name=f"person {who}", at=at, lease=LEASE, **more)


def decide(state=OPEN, who="7", at=NOON, base_revision=1, action=Action.APPROVE):
    return lifecycle.decide(state, who=who, at=at, base_revision=base_revision, action=action)


def test_every_word_has_a_row_in_its_table_and_every_row_leads_to_words():
    assert set(lifecycle.DECISIONS) == set(Decision)
    assert set(lifecycle.EXECUTIONS) == set(Execution)
    assert all(after <= set(Decision) for after in lifecycle.DECISIONS.values())
    assert all(after <= set(Execution) for after in lifecycle.EXECUTIONS.values())


def test_every_word_can_be_reached_from_the_first():
    for table, first in ((lifecycle.DECISIONS, Decision.OPEN), (lifecycle.EXECUTIONS, Execution.NOT_STARTED)):
        seen, ahead = set(), [first]
        while ahead:
            word = ahead.pop()
            seen.add(word)
            ahead += table[word] - seen
        assert seen == set(table)


@pytest.mark.parametrize("action", list(Action))
def test_each_action_decides_into_its_own_word(action):
    after = decide(action=action)
    assert after.decision is lifecycle.DECIDED_AS[action]
    runs = after.decision in lifecycle.RUNS
    assert after.execution is (Execution.NOT_STARTED if runs else Execution.NOT_APPLICABLE)


@pytest.mark.parametrize("word", sorted(set(Decision) - lifecycle.UNDECIDED))
def test_what_is_decided_cannot_be_decided_again(word):
    with pytest.raises(lifecycle.AlreadyDecided):
        decide(replace(OPEN, decision=word))


@pytest.mark.parametrize(
    ("kind", "state", "said"),
    [
        ("person", Decision.APPROVED, "ana decided first: approved"),
        ("policy", Decision.APPROVED, "The policy “ana” decided first: approved"),
        ("default", Decision.REJECTED, "The declared default decided first: rejected"),
        ("expired", Decision.EXPIRED, "It expired"),
        ("cancelled", Decision.CANCELLED, "The agent withdrew it"),
        ("superseded", Decision.SUPERSEDED, "A later revision replaced it"),
    ],
)
def test_what_nobody_decided_is_never_worded_as_a_persons_decision(kind, state, said):
    """Check: expired, cancelled, auto-approved and superseded are never worded as a person's decision."""
    won = replace(WON, kind=kind, state=state, name="ana" if kind in {"person", "policy"} else "")
    refusal = lifecycle.why_not_decide(replace(OPEN, decision=state, winner=won), who="7", at=NOON)
    assert str(refusal).startswith(said)
    assert refusal.extra["winner"]["decision"] == state.value


def test_a_stale_revision_cannot_be_decided():
    assert lifecycle.why_not_decide(OPEN, who="7", at=NOON, base_revision=2).code == "STALE_REVISION"


def test_the_deadline_is_no_reason_against_a_person():
    """Check: decide on the deadline tick."""
    assert lifecycle.why_not_decide(OPEN, who="7", at=OPEN.expires_at) is None
    assert lifecycle.why_not_decide(OPEN, who="7", at=later(days=9)) is None


def test_a_claim_is_advisory_unless_it_is_required():
    held = claim(who="8")
    assert lifecycle.why_not_decide(held, who="7", at=NOON) is None
    strict = replace(held, require_claim=True)
    assert lifecycle.why_not_decide(strict, who="7", at=NOON).code == "HELD_BY_ANOTHER"
    assert lifecycle.why_not_decide(strict, who="7", at=later(minutes=6)).code == "NOT_ALLOWED_NOW"


def test_a_claim_is_taken_over_only_on_purpose_and_frees_itself():
    held = claim(who="8")
    assert lifecycle.why_not_claim(held, who="7", at=NOON).extra["held"]["holder"] == "person 8"
    assert claim(held, take_over=True).holder_id == "7"
    assert claim(held, at=later(minutes=5)).holder_id == "7"
    assert claim(held, who="8", at=later(minutes=4)).lease_until == later(minutes=9)


def test_only_the_holder_releases_and_only_a_lapsed_lease_lapses():
    held = claim(who="8")
    assert lifecycle.why_not_release(held, who="7", at=NOON).code == "HELD_BY_ANOTHER"
    assert lifecycle.release(held, who="8", at=NOON).holder_id == ""
    assert lifecycle.why_not_lapse(held, at=later(minutes=4)) is not None
    assert lifecycle.lapse(held, at=later(minutes=5)).lease_until is None


def test_a_live_claim_delays_the_deadline_by_one_lease_at_most():
    """Check: auto job skips an item under a live claim."""
    held = claim(at=later(minutes=59))
    assert lifecycle.why_not_expire(OPEN, at=later(minutes=59), lease=LEASE).code == "NOT_ALLOWED_NOW"
    assert lifecycle.why_not_expire(held, at=later(minutes=61), lease=LEASE).code == "HELD_BY_ANOTHER"
    renewed = claim(held, at=later(minutes=63))
    assert lifecycle.expire(renewed, at=later(minutes=65), lease=LEASE).decision is Decision.EXPIRED
    assert lifecycle.expire(OPEN, at=OPEN.expires_at, lease=LEASE).execution is Execution.NOT_APPLICABLE


@pytest.mark.parametrize("execution", list(Execution))
def test_a_revision_follows_only_on_work_left_undone(execution):
    state = replace(APPROVED, execution=execution)
    allowed = lifecycle.why_not_revise(state, base_revision=1) is None
    assert allowed == (execution in lifecycle.REVISABLE)
    if allowed:
        after = lifecycle.revise(state, base_revision=1, expires_at=NOON)
        assert (after.revision, after.decision, after.execution) == (2, Decision.OPEN, Execution.NOT_STARTED)


@pytest.mark.parametrize("word", [Decision.REJECTED, Decision.EXPIRED, Decision.CANCELLED])
def test_a_no_is_not_revised_away(word):
    state = replace(OPEN, decision=word, execution=Execution.NOT_APPLICABLE)
    assert lifecycle.why_not_revise(state, base_revision=1) is not None


@pytest.mark.parametrize(("execution", "status"), list(product(Execution, Reported)))
def test_reports_follow_the_table(execution, status):
    allowed = Execution(status.value) in lifecycle.EXECUTIONS[execution]
    assert (lifecycle.why_not_report(execution, status) is None) == allowed
    if allowed:
        assert lifecycle.report(execution, status).value == status.value


def test_delivery_and_acknowledgement_never_undo_what_came_later():
    for word in Execution:
        assert lifecycle.delivered(word) in {word, Execution.DELIVERED}
        assert lifecycle.acknowledged(word) in {word, Execution.ACKNOWLEDGED}
    assert lifecycle.delivered(Execution.EXECUTED) is Execution.EXECUTED
    assert lifecycle.acknowledged(Execution.EXECUTING) is Execution.EXECUTING
    assert lifecycle.acknowledged(Execution.NO_REPORT) is Execution.ACKNOWLEDGED


def test_silence_is_said_only_of_what_may_run():
    assert lifecycle.silence(APPROVED).execution is Execution.NO_REPORT
    assert lifecycle.why_not_silence(OPEN) is not None
    assert lifecycle.why_not_silence(replace(APPROVED, execution=Execution.EXECUTED)) is not None


def test_attention_ends_with_a_hand_or_a_later_outcome():
    silent = replace(APPROVED, execution=Execution.NO_REPORT)
    assert lifecycle.needs_attention(silent)
    assert not lifecycle.needs_attention(lifecycle.resolve(silent))
    assert lifecycle.why_not_resolve(APPROVED) is not None
