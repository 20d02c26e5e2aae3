"""Every sentence of the contract that the form of a policy can meet has words of the page."""

import re
from pathlib import Path

import pytest
from django.utils import translation

from escalations.pages.rule_faults import SENTENCES, worded

CONTRACT = Path(__file__).parents[3] / "escalations" / "contract"
NOT_IN_THE_FORM = {
    "a policy approves or rejects",
    "a policy's default never approves",
}  # what its lists do not offer


def said_by_the_contract():
    """The plain sentences; those made of parts are checked one by one below."""
    text = "".join((CONTRACT / f"{name}.py").read_text("utf-8") for name in ("chains", "policies"))
    return set(re.findall(r'raise ValueError\("([^"]+)"\)', text)) - NOT_IN_THE_FORM


def test_every_rule_of_the_contract_has_a_sentence_of_the_page():
    assert sorted(said_by_the_contract() - set(SENTENCES)) == []


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("Value error, more_than takes a number", "This comparison takes a number, within 2^53."),
        (
            "Value error, at_most takes a finite number within 2^53",
            "This comparison takes a number, within 2^53.",
        ),
        ("Value error, wait takes seconds, and nothing else", "How many minutes?"),
        ("Value error, something new", "something new"),
    ],
)
def test_a_rule_is_said_in_our_words_and_an_unknown_one_as_it_is(rule, words):
    assert worded(rule) == words


def test_the_sentences_are_written_in_chinese_too():
    with translation.override("zh-hans"):
        assert worded("Value error, a rule that decides says when it expires").startswith("会自行决定")
