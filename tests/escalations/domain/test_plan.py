from uuid import UUID

import pytest

from escalations.domain import plan
from escalations.domain.digest import edited_key
from tests.escalations import made

DECISION = UUID(int=7)


def proposals(**changes):
    return plan.proposals_of(made.package(**changes))


def finalize(choices=None, proposal=None, package=None):
    package = package or made.package()
    chosen = proposal or plan.proposals_of(package)[0]
    unknown = plan.unknown_effects(package)
    return plan.finalize(chosen, choices or {}, decision_id=DECISION, unknown=unknown)


def faults(choices=None, **more):
    with pytest.raises(plan.BadEdit) as refused:
        finalize(choices, **more)
    return {(error.code, error.field) for error in refused.value.errors}


def with_args(proposal, step_id, args, **more):
    steps = [{**step, "args": args, **more} if step["id"] == step_id else step for step in proposal["steps"]]
    return {**proposal, "steps": steps}


def test_an_unchanged_plan_is_digested_as_it_was_proposed():
    final = finalize()
    assert final.edits == 0
    assert final.steps[1]["run_if"] == {"step": "s1", "is": "empty"}
    assert final.steps[1]["depends_on"] == ["s1"]
    assert [step["run"] for step in final.steps] == [True, True, True]


def test_an_edit_replaces_the_arguments_as_a_whole():
    final = finalize({"s2": plan.Choice(args={"flight": "CA1", "points_max": 1})})
    assert final.steps[1]["args"] == {"flight": "CA1", "points_max": 1}
    assert (final.edits, final.steps[1]["edited"]) == (1, True)
    assert final.steps[1]["idempotency_key"] == edited_key(DECISION, "s2")


def test_the_tool_stays_whatever_is_edited():
    """Check: edit cannot change the tool unless policy says so."""
    final = finalize({"s2": plan.Choice(args={"flight": "CA1", "points_max": 1})})
    assert final.steps[1]["tool"] == "upgrade.request"
    assert faults({"s2": plan.Choice(tool="pay.now")}) == {("TOOL_IS_FIXED", "steps.s2.tool")}


def become(tool, *, may_become=("pay.*",), args=None, known=()):
    package = made.package()
    chosen = plan.proposals_of(package)[0]
    return plan.finalize(
        chosen,
        {"s3": plan.Choice(tool=tool, args=args)},
        decision_id=DECISION,
        unknown=plan.unknown_effects(package),
        known=(chosen, *known),
        may_become=may_become,
    ).steps[2]


def test_a_tool_that_the_policy_lets_it_become_is_another_call_with_the_worst_assumed():
    step = become("pay.now", args={"amount": 3})
    assert (step["tool"], step["args"], step["edited"]) == ("pay.now", {"amount": 3}, True)
    assert (step["side_effect"], step["reversible"]) == ("write", False)
    assert step["idempotency_key"] == edited_key(DECISION, "s3")


def test_the_new_tools_own_schema_and_effect_count_where_the_package_knows_it():
    said = made.step("x", "pay.now", args_schema=made.UPGRADE, side_effect="read", reversible=True)
    known = plan.proposals_of(made.package(proposals=[{**made.keep_seat(), "steps": [said]}]))
    with pytest.raises(plan.BadEdit) as refused:
        become("pay.now", args={"amount": 3}, known=known)
    assert {error.field for error in refused.value.errors} >= {"steps.s3.args.flight"}
    fine = become("pay.now", args={"flight": "MU1", "points_max": 1}, known=known)
    assert (fine["side_effect"], fine["reversible"]) == ("read", True)


def test_the_same_arguments_in_another_order_are_no_edit():
    same = {"seat_pref": "any", "points_max": 32000.0, "flight": "MU5138"}
    assert finalize({"s2": plan.Choice(args=same)}).edits == 0


def test_a_step_whose_predecessor_is_skipped_is_skipped_too_or_the_plan_refused():
    assert faults({"s2": plan.Choice(run=False)}) == {("NEEDS_SKIPPED_STEP", "steps.s3.run")}
    final = finalize({"s2": plan.Choice(run=False), "s3": plan.Choice(run=False)})
    assert [step["run"] for step in final.steps] == [True, False, False]
    assert final.edits == 2


def test_arguments_of_a_skipped_step_are_not_edited():
    off = plan.Choice(run=False, args={"points_max": 1})
    final = finalize({"s2": off, "s3": plan.Choice(run=False)})
    assert final.steps[1]["args"]["points_max"] == 32000
    assert final.steps[1]["idempotency_key"] == "upg-7f3c"


def test_a_plan_in_which_nothing_runs_is_refused():
    skip = {step: plan.Choice(run=False) for step in ("s1", "s2", "s3")}
    assert faults(skip) == {("NOTHING_RUNS", "steps")}


def test_a_plan_without_steps_can_be_approved():
    assert finalize(proposal=proposals()[1]).steps == ()


def test_a_step_that_is_not_of_the_plan_is_named():
    assert faults({"s9": plan.Choice()}) == {("NO_SUCH_STEP", "steps")}


def test_what_may_have_happened_is_not_sent_again_before_it_was_looked_up():
    blind = {**made.find_out(), "steps": made.find_out()["steps"][1:2]}
    blind = with_args(blind, "s2", {}, depends_on=[], run_if=None, args_schema=None)
    package = made.package(proposals=[blind])
    assert faults(package=package) == {("UNRECONCILED", "steps.s2.run")}


def test_skipping_the_look_up_stops_what_depends_on_it():
    found = faults({"s1": plan.Choice(run=False)})
    assert ("UNRECONCILED", "steps.s2.run") in found


def test_an_edited_step_is_as_much_a_repetition_as_the_proposed_one():
    package = made.package(
        proposals=[with_args(made.find_out(), "s2", {"x": 1}, run_if=None, args_schema=None)]
    )
    assert ("UNRECONCILED", "steps.s2.run") in faults({"s2": plan.Choice(args={"x": 2})}, package=package)


def test_undoing_what_may_not_have_happened_is_looked_up_first():
    undo = made.step("u", "upgrade.cancel", compensates="call-5")
    package = made.package(proposals=[{"id": "C", "kind": "compensate", "title": "Undo", "steps": [undo]}])
    assert faults(package=package) == {("UNRECONCILED", "steps.u.run")}


def test_without_a_key_the_tool_tells_what_would_be_repeated():
    failure = {**made.package()["failure"], "idempotency_key": None}
    again = made.step("a", "upgrade.request", idempotency_key="other")
    plans = [{"id": "R", "kind": "retry", "title": "Again", "steps": [again]}]
    assert faults(package=made.package(failure=failure, proposals=plans)) == {("UNRECONCILED", "steps.a.run")}


def test_redacted_values_stay_where_they_are():
    hidden = {"card": {"$ref": "r1"}, "amount": 5}
    schema = {"type": "object", "properties": {"card": {"type": "string"}, "amount": {"maximum": 9}}}
    step = made.step("p", "pay", args=hidden, args_schema=schema)
    package = made.package(
        failure=None, proposals=[{"id": "P", "kind": "retry", "title": "Pay", "steps": [step]}]
    )
    final = finalize({"p": plan.Choice(args={**hidden, "amount": 6})}, package=package)
    assert final.steps[0]["args"]["card"] == {"$ref": "r1"}
    for changed in (
        {"card": "4111"},
        {"card": {"$ref": "r2"}},
        {"amount": 6},
        {**hidden, "more": {"$ref": "r1"}},
    ):
        assert faults({"p": plan.Choice(args={"amount": 6, **changed})}, package=package) == {
            ("REDACTED_IS_FIXED", "steps.p.args")
        }
    assert faults({"p": plan.Choice(args={**hidden, "amount": 10})}, package=package) == {
        ("MAXIMUM", "steps.p.args.amount")
    }


@pytest.mark.parametrize("value", [2**53 + 1, float("inf"), "a\x00", 1e300])
def test_what_json_does_not_carry_cannot_be_approved(value):
    step = made.step("p", "pay", args={"n": 1})
    package = made.package(
        failure=None, proposals=[{"id": "P", "kind": "retry", "title": "Pay", "steps": [step]}]
    )
    assert faults({"p": plan.Choice(args={"n": value})}, package=package) == {("NOT_CARRIED", "steps.p.args")}


def test_a_plan_must_be_named_unless_it_is_the_only_one():
    both = proposals()
    assert plan.pick(both[:1], None) is both[0]
    with pytest.raises(plan.NoSuchProposal):
        plan.pick(both, None)
    with pytest.raises(plan.NoSuchProposal):
        plan.pick((), None)
