"""A refusal repeats the value, the rule and the next step."""

from datetime import timedelta

import pytest

from console.kit.refusal import FieldError, Refused
from escalations.domain.permissions import NotYours
from escalations.pages.faults import brief, said, spoken
from tests.escalations import made


class Held(Refused):
    code = "HELD_BY_ANOTHER"


def test_a_fault_repeats_what_was_sent():
    assert said(FieldError("MAXIMUM", "a", "at most 3", 9)) == "Too much: you sent 9."


def test_a_fault_without_words_of_ours_says_its_rule():
    assert said(FieldError("ONE_OF", "a", "exactly one of two")) == "exactly one of two"
    assert said(FieldError("ONE_OF", "a")) == "ONE_OF"


@pytest.mark.parametrize("value", ["x" * 900, {"a": ["x" * 900]}, 10**70])
def test_a_value_is_repeated_on_one_short_line(value):
    assert len(brief(value)) <= 60


def test_who_holds_a_case_is_named_with_the_time():
    until = (made.real_now() + timedelta(minutes=4)).isoformat()
    told = spoken(Held("x", extra={"held": {"holder": "kestrel", "lease_until": until}}))
    assert told.startswith("kestrel has it until ")
    assert spoken(Held("as raised")) == "as raised"


@pytest.mark.parametrize(
    ("kind", "name", "decision", "words"),
    [
        ("person", "kestrel", "rejected", "kestrel decided first: rejected "),
        ("policy", "small gifts", "approved", "The policy “small gifts” decided first: approved "),
        ("default", "declared default", "rejected", "The declared default came first: rejected "),
        ("expired", "", "expired", "Nobody decided: it was expired "),
        ("cancelled", "", "cancelled", "Nobody decided: it was cancelled "),
    ],
)
def test_what_no_person_decided_is_never_worded_as_a_persons_decision(kind, name, decision, words):
    """Check: expired, cancelled, auto-approved and superseded are never worded as a person's decision."""
    winner = {
        "kind": kind,
        "name": name,
        "decision": decision,
        "decided_at": made.real_now().isoformat(),
    }
    assert spoken(Refused("as raised", extra={"winner": winner})).startswith(words)


def test_a_refusal_is_said_in_our_words_or_as_it_was_raised():
    assert spoken(NotYours("whatever")) == "This is for operators. You may look."
    assert spoken(Refused("It is gone.")) == "It is gone."
