import sys

import pytest

from escalations import operations, queries
from escalations.domain import lifecycle, permissions
from escalations.models import Case
from escalations.operations.decisions import word_of
from escalations.vocabulary import Verb
from tests.escalations import made

pytestmark = pytest.mark.django_db


def page(case, *, who=made.ANA, at=made.NOON):
    return queries.case_page(ref=case.ref, actor=who, at=at)


def test_the_page_has_the_goal_the_failure_what_was_done_and_what_can_be_done():
    shown = page(made.opened())

    assert shown.goal.startswith("Book Shanghai")
    assert (shown.failure.tool, shown.failure.failure_class) == ("upgrade.request", "unknown_outcome")
    assert (shown.failure.total_ms, shown.failure.attempts[0].duration_ms) == (10000, 10000)
    assert [(step.tool, step.stands) for step in shown.steps] == [("fare.hold", True)]
    assert shown.standing_effects == 1
    first, second = shown.proposals
    assert (first.letter, first.recommended, first.irreversible, first.why_not) == ("A", True, 1, None)
    assert [step.resends_unknown for step in first.steps] == [False, True, False]
    assert (second.letter, second.steps) == ("B", ())


def test_the_digest_beside_a_plan_is_the_one_its_approval_gets():
    case = made.opened()
    shown = page(case).proposals[0].digest
    assert made.decided(case.id).args_digest == shown


def test_a_preview_has_the_digest_that_the_decision_will_have():
    case = made.opened()
    edit = [{"id": "s2", "run": True, "args": {"flight": "MU5138", "points_max": 1}}]
    said = made.decision("edit", steps=edit)
    before = queries.preview(case_id=case.id, word=word_of(said), decision_key="d-1")

    assert before.edits == 1
    assert made.decided(case.id, "edit", steps=edit).args_digest == before.args_digest


def test_a_preview_says_why_it_would_be_refused():
    case = made.opened()
    edit = made.decision("edit", steps=[{"id": "s2", "args": {"flight": "MU5138", "points_max": -1}}])
    refused = queries.preview(case_id=case.id, word=word_of(edit), decision_key="d-1").refused
    assert [error.field for error in refused.errors] == ["steps.s2.args.points_max"]


def test_the_track_follows_the_decision_to_its_outcome():
    case = made.opened()
    assert [(line.name, line.state) for line in page(case).milestones][:2] == [
        ("opened", "now"), ("decided", "next"),
    ]  # fmt: skip
    decided = made.decided(case.id)
    operations.mark_delivered(decision_ids=[decided.decision_id], via="socket", at=made.later(seconds=1))
    made.acknowledged(decided, at=made.later(seconds=2))
    steps = [{"id": "s1", "status": "empty"}, {"id": "s2", "status": "failed"}]
    made.reported(decided, "partial", steps=steps, at=made.later(seconds=9))

    shown = page(case)

    track = [(line.name, line.state, line.after and line.after.total_seconds()) for line in shown.milestones]
    assert track == [
        ("opened", "done", None),
        ("decided", "done", None),
        ("delivered", "done", 1),
        ("acknowledged", "done", 2),
        ("outcome", "bad", 9),
        ("attention", "now", None),
    ]
    assert [step.status for step in shown.decision.steps] == ["empty", "failed", ""]
    verbs = [line.verb for line in shown.history]
    assert verbs == ["opened", "approved", "delivered", "acknowledged", "reported_partial"]


def test_the_text_on_a_disabled_button_is_the_refusal_of_the_operation():
    case = made.opened()
    made.decided(case.id, "reject")
    shown = page(case, who=made.BEN).why_not[Verb.DECIDE]
    with pytest.raises(lifecycle.AlreadyDecided) as refused:
        made.decided(case.id, key="d-2", by=made.BEN)
    assert str(refused.value) == str(shown)
    assert page(case, who=made.EVE).why_not[Verb.NOTE].code == "NOT_PERMITTED"


def test_losing_attempts_are_on_the_page():
    case = made.opened()
    made.decided(case.id)
    with pytest.raises(lifecycle.AlreadyDecided):
        made.decided(case.id, "reject", key="d-2", by=made.BEN)
    lost = page(case).losing_attempts[0]
    assert (lost.by_name, lost.action, lost.message) == ("ben", "reject", "Ask the carrier by phone first.")


def test_a_draft_survives_a_new_revision_and_says_that_it_is_old():
    """Check: refresh restores the draft; arguments change: draft kept."""
    case = made.opened()
    body = {"action": "edit", "proposal_id": "A", "steps": [{"id": "s2", "args": {"points_max": 1}}]}
    operations.save_draft(case_id=case.id, revision=1, body=body, by=made.ANA, at=made.NOON)
    made.revised(case.id, base_revision=1, title="Changed")

    draft = page(case).draft

    assert (draft.body, draft.revision, draft.stale) == (body, 1, True)
    assert page(case, who=made.BEN).draft is None
    assert Case.objects.get().decision == "open"


def test_cases_of_one_cause_are_beside_each_other():
    first = made.opened(key="a")
    made.opened(key="b")
    made.opened(key="c", failure={"call_id": "c", "tool": "other"})
    shown = page(first)
    assert len(shown.related) == 1
    assert shown.row.same_cause == 2


def test_cases_of_one_cause_are_counted_beyond_those_that_are_listed(monkeypatch):
    module = sys.modules[
        "escalations.queries.case_page"
    ]  # `escalations.queries` has the function under this name
    monkeypatch.setattr(module, "MOST_RELATED", 2)
    first = made.opened(key="a")
    for n in range(4):
        made.opened(key=f"k{n}")
    shown = page(first)
    assert (len(shown.related), shown.row.same_cause) == (2, 5)


@pytest.mark.parametrize("extra", [0, 3])
def test_the_page_costs_the_same_however_much_there_is(extra, django_assert_num_queries):
    case = made.opened()
    for n in range(extra):
        operations.add_note(case_id=case.id, text=f"note {n}", by=made.ANA, at=made.NOON)
        made.opened(key=f"k{n}")
    with django_assert_num_queries(10):
        page(case)


@pytest.mark.parametrize("ref", ["C-999", "C-", "4182", "C-1e3", "C-٣", "C-99999999999999999999"])
def test_what_is_no_case_is_not_there(ref):
    with pytest.raises(permissions.NoSuchCase):
        queries.case_page(ref=ref, actor=made.ANA, at=made.NOON)


def test_another_agents_case_is_not_there():
    case = made.opened()
    with pytest.raises(permissions.NoSuchCase):
        page(case, who=made.OTHER_AGENT)


def seats(**changes):
    batch = {"call_id": "call-5", "tool": "seat.assign_batch", "class": "partial", "side_effect": "write"}
    undo = made.step("u1", "fare.release", compensates="call-2", reversible=False)
    plan = {"id": "A", "kind": "compensate", "title": "Give the hold back", "steps": [undo]}
    return {"failure": {**batch, **changes}, "proposals": [plan]}


def test_a_part_of_a_batch_is_an_effect_that_stands():
    assert page(made.opened(**seats())).standing_effects == 2
    assert page(made.opened(key="read", **seats(side_effect="read"))).standing_effects == 1


def test_the_failed_call_among_the_steps_stands_in_part_where_its_agent_calls_it_failed():
    listed = made.package()["steps"]
    batch = {
        **listed[0],
        "call_id": "call-5",
        "tool": "seat.assign_batch",
        "status": "failed",
        "side_effect": "write",
    }
    shown = page(made.opened(**seats(), steps=[*listed, batch]))
    assert [(step.stands, step.partly) for step in shown.steps] == [(True, False), (True, True)]
    assert shown.standing_effects == 2


def test_what_an_executed_compensation_undid_stands_no_longer():
    case = made.opened(**seats())
    decided = made.decided(case.id)
    assert page(case).standing_effects == 2
    made.reported(decided, steps=[{"id": "u1", "status": "executed"}])
    shown = page(case)
    assert [(step.stands, step.undone) for step in shown.steps] == [(False, True)]
    assert shown.standing_effects == 1
