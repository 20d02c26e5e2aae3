"""Every word that is stored has a word that is shown, and words that must not be merged are not."""

import pytest

from console.kit.actor import ActorKind
from escalations.pages import audit_words, words
from escalations.vocabulary import (
    Action,
    Decision,
    Execution,
    ProposalKind,
    Severity,
    Source,
    StepStatus,
    Trigger,
)
from telemetry.vocabulary import ItemStatus


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (Decision, words.DECISIONS),
        (Action, words.ACTIONS),
        (Execution, words.EXECUTIONS),
        (StepStatus, words.STEPS),
        (ItemStatus, words.STEPS),
        (Trigger, words.TRIGGERS),
        (Severity, words.SEVERITIES),
        (ProposalKind, words.KINDS),
    ],
)
def test_every_stored_word_has_one_of_ours(known, said):
    assert set(map(str, known)) <= set(said)


def test_decisions_and_outcomes_are_never_merged():
    for said in (words.DECISIONS, words.EXECUTIONS):
        assert len(set(map(str, said.values()))) == len(said)


def test_only_a_person_saying_so_fills_a_tag():
    nobody = {"expired", "cancelled", "superseded", "open", "disputed"}
    assert set(map(str, Decision)) - words.SAID_BY_SOMEBODY == nobody


def test_a_word_that_is_not_known_is_shown_as_it_is():
    assert words.word(words.DECISIONS, "something_new") == "something_new"


def test_verbs_of_the_audit_and_ways_of_delivery_have_short_words():
    assert audit_words.VERBS["taken_over"] == "taken over"
    assert {str(source) for source in (Source.SOCKET, Source.POLL, Source.WEBHOOK)} <= set(audit_words.WAYS)
    assert set(map(str, ActorKind)) <= set(audit_words.KINDS)
