"""Every entry of a case's history names who did what to whom."""

import pytest
from django.utils.html import strip_tags

from escalations.pages.history_words import sentence
from escalations.queries import HistoryLine
from tests.escalations import made


def line(verb, *, who="ana", kind="person", **detail):
    return HistoryLine(
        seq=1, verb=verb, actor_kind=kind, actor_name=who, source="page", at=made.NOON, detail=detail
    )


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (line("claimed"), "ana claimed it"),
        (line("delivered", who="system", kind="system"), "The decision was sent to trip-booker"),
        (line("taken_over", taken_over_from="ben"), "ana took it over from ben"),
        (line("assigned", to="ben"), "ana assigned it to ben"),
        (line("assigned", to="", **{"from": "ben"}), "ana took it off the list of ben"),
        (line("reported_partial", who="trip-booker", kind="agent"), "trip-booker reported: partial"),
        (line("claim_lapsed", kind="system", holder="ben"), "The claim of ben lapsed"),
        (line("decision_refused", action="reject"), "ana came too late with “reject”; it was not applied"),
        (
            line("decision_refused", code="ALREADY_DECIDED"),
            "ana came too late with a vote; it was not counted",
        ),
        (
            line("approved", broke=["quorum"], why="It boards."),
            "ana approved, against the case’s rules: It boards.",
        ),
        (line("policy_passed", kind="policy", reason="Off."), "The policy did not decide by itself: Off."),
        (line("something_new", kind="system"), "Switchboard: something new"),
        (line("snoozed", until="nonsense"), "ana put it aside until "),
    ],
)
def test_each_verb_is_a_sentence(entry, said):
    assert strip_tags(sentence(entry, agent="trip-booker")) == said


def test_what_came_from_outside_stays_text():
    said = sentence(line("webhook_given_up", kind="system", tries=3, fault="<b>no</b>"), agent="<i>")
    assert "<b>no" not in said
    assert "<i>" not in said
