"""What a plan would do is said from its steps: order, conditions, and what cannot be undone."""

import pytest
from django.utils.html import strip_tags

from escalations.pages.plan_words import Planned, sentences, short
from escalations.queries import PlanStepView


def step(name, tool, side_effect="write", *, reversible=False, after="", ended="", resends=False):
    return PlanStepView(
        n=1,
        id=name,
        tool=tool,
        args={},
        args_schema=None,
        side_effect=side_effect,
        reversible=reversible,
        compensates="",
        reconciles="",
        note="",
        depends_on=(),
        run_if_step=after,
        run_if_is=ended,
        idempotency_key=name,
        resends_unknown=resends,
        refs=(),
    )


LOOK = Planned(step("s1", "upgrade.status", "read"), run=True, changes=0)
SEND = Planned(
    step("s2", "upgrade.request", after="s1", ended="empty", resends=True),
    run=True,
    changes=2,
    after="upgrade.status",
)
TELL = Planned(step("s3", "traveller.notify", reversible=True), run=True, changes=0)


def text(words):
    return strip_tags(words)


def test_the_sentences_follow_the_steps():
    assert text(sentences([LOOK, SEND, TELL])) == (
        "The agent first calls upgrade.status, which only reads. "
        "Only if upgrade.status finds nothing, it calls upgrade.request with 2 changes, which cannot be undone. "
        "Then it calls traveller.notify, which can be undone. "
        "What may have happened already is looked up before it is sent again."
    )


def test_the_bar_says_the_same_in_one_line():
    assert text(short([LOOK, SEND, TELL])) == (
        "Calls upgrade.status, then upgrade.request with 2 changes only if upgrade.status finds nothing, "
        "then traveller.notify. 1 step cannot be undone."
    )


@pytest.mark.parametrize(
    ("plan", "end"),
    [
        ([LOOK], "Only reads."),
        ([LOOK, TELL], "All of it can be undone."),
        ([SEND], "It cannot be undone."),
        ([SEND, SEND], "2 steps cannot be undone."),
        ([Planned(LOOK.step, run=False, changes=0)], "Nothing is run: every step is set aside."),
        ([], "This plan runs nothing: the agent goes on as it says."),
    ],
)
def test_what_can_be_undone_is_said_last(plan, end):
    assert text(short(plan)).endswith(end)


def test_a_step_set_aside_is_named():
    aside = Planned(TELL.step, run=False, changes=0)
    assert "traveller.notify is set aside." in text(sentences([LOOK, aside]))


def test_names_of_tools_are_never_markup():
    evil = Planned(step("x", "<script>alert(1)</script>"), run=True, changes=0)
    assert "<script>" not in sentences([evil]) + short([evil])


def test_a_long_plan_is_cut_to_a_count():
    assert "2 more steps" in text(short([LOOK] * 8))


def test_one_step_alone_is_not_called_the_first():
    assert text(sentences([LOOK])) == "The agent calls upgrade.status, which only reads."
