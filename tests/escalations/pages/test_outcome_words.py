"""What became of a decision is said without merging silence, failure and ignorance."""

from dataclasses import dataclass, field
from datetime import datetime

import pytest

from escalations.pages.outcome_words import after_sentence, items_sentence, outcome_sentence
from escalations.vocabulary import Decision, Execution
from tests.escalations.made import NOON


@dataclass
class Step:
    status: str
    run: bool = True


@dataclass
class Made:
    state: Decision
    execution: Execution = Execution.NOT_APPLICABLE
    by_name: str = "heron"
    delivered_at: datetime | None = None
    acknowledged_at: datetime | None = None
    steps: tuple[Step, ...] = field(default=(Step("executed"), Step("failed"), Step(""), Step("", run=False)))


UNSAID = [Decision.EXPIRED, Decision.CANCELLED, Decision.SUPERSEDED, Decision.REJECTED, Decision.RESPONDED]


@pytest.mark.parametrize("state", UNSAID)
def test_what_ran_nothing_says_so_in_words_of_its_own(state):
    others = {outcome_sentence(Made(each)) for each in UNSAID if each is not state}
    assert outcome_sentence(Made(state)) not in others


@pytest.mark.parametrize("execution", [each for each in Execution if each is not Execution.NOT_APPLICABLE])
def test_every_execution_has_a_sentence_of_its_own(execution):
    others = {outcome_sentence(Made(Decision.APPROVED, each)) for each in Execution if each is not execution}
    said = outcome_sentence(Made(Decision.APPROVED, execution))
    assert said
    assert said not in others


@pytest.mark.parametrize(
    ("come", "said"),
    [
        ({}, "The agent was never told"),
        ({"delivered_at": NOON}, "Told, then silence"),
        ({"delivered_at": NOON, "acknowledged_at": NOON}, "Confirmed, then silence"),
        ({"acknowledged_at": NOON}, "Confirmed, then silence"),
    ],
)
def test_silence_says_how_far_the_decision_had_come(come, said):
    assert outcome_sentence(Made(Decision.APPROVED, Execution.NO_REPORT, **come)).startswith(said)


def test_a_partial_outcome_counts_its_steps():
    said = outcome_sentence(Made(Decision.EDITED, Execution.PARTIAL))
    assert said == "Executed in part: 1 executed, 1 failed, 1 skipped, 1 not reported."


def test_who_decided_is_named_and_nobody_is_blamed_for_a_deadline():
    assert "by heron" in after_sentence(Made(Decision.APPROVED, Execution.EXECUTED))
    assert "by" not in after_sentence(Made(Decision.EXPIRED, by_name="")).split(".")[0]
    assert after_sentence(None) == ""


def test_items_of_a_batch_are_counted():
    items = [{"status": "succeeded"}, {"status": "succeeded"}, {"status": "failed"}]
    assert items_sentence(items) == "2 executed, 1 failed"
