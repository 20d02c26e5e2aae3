"""Attempts are drawn to scale, with the failure's own class where the last try names none."""

import pytest
from django.template import Context, Template

from escalations.queries import AttemptView, FailureView, Milestone
from escalations.templatetags.case_words import attempts, decision_tag, execution_tag, waits_at


def tried(n, offset, took, *, wait=0, status=None, failure_class="", code=""):
    return AttemptView(
        n=n,
        started_at=None,
        offset_ms=offset,
        duration_ms=took,
        wait_ms=wait,
        http_status=status,
        code=code,
        failure_class=failure_class,
        message="",
    )


def failure(*tries, failure_class="transient", code="", total=0):
    return FailureView(
        call_id="c",
        tool="t",
        failure_class=failure_class,
        code=code,
        field="",
        constraint="",
        received=None,
        received_given=False,
        hint="",
        message="",
        reasoning="",
        args=None,
        side_effect="",
        idempotency_key="",
        http_status=None,
        attempts=tries,
        total_ms=total,
        breaker=None,
    )


def test_every_attempt_and_wait_is_drawn_in_order():
    drawn = attempts(failure(tried(1, 0, 400, status=503), tried(2, 1400, 600, wait=1000, status=429)))
    assert [each.kind for each in drawn["drawn"]] == ["bar", "wait", "bar"]
    assert drawn["sentence"].replace("\u202f", " ") == (
        "attempt 1: 503 after 0.40 s; waited 1 s; attempt 2: 429 after 0.60 s"
    )


def test_the_last_try_ended_as_the_call_did():
    drawn = attempts(failure(tried(1, 0, 10_000), failure_class="unknown_outcome", code="TIMEOUT"))
    assert drawn["drawn"][0].kind == "unknown"
    assert drawn["labels"][0]["text"].startswith("TIMEOUT")


@pytest.mark.parametrize("tries", [(), (tried(1, 0, None),)])
def test_without_lengths_nothing_is_drawn(tries):
    assert attempts(failure(*tries))["drawn"] == ()


def test_crowded_labels_give_way():
    many = [tried(n, n * 10, 5, status=503) for n in range(8)]
    assert len(attempts(failure(*many))["labels"]) < 3


def test_the_track_marks_what_a_decided_case_waits_for():
    def stone(name, state):
        return Milestone(name=name, state=state, at=None, after=None, word="", by="")

    assert waits_at([stone("opened", "now"), stone("decided", "next")]) == ""
    assert (
        waits_at([stone("decided", "done"), stone("delivered", "next"), stone("outcome", "next")])
        == "delivered"
    )


def test_tags_are_filled_only_when_a_person_said_so():
    assert "ink" in decision_tag("approved")
    assert "ink" not in decision_tag("expired")
    assert "ink" not in decision_tag("approved", "policy")
    assert "bad" in execution_tag("partial")
    assert "bad" not in execution_tag("unknown")


def test_the_library_loads_in_a_template():
    template = Template("{% load case_words %}{{ word|execution_word }}")
    assert template.render(Context({"word": "no_report"})) == "no report"
