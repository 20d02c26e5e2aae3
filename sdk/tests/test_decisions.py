import asyncio
from datetime import timedelta

import pytest

import switchboard


def opened(console, task, **more):
    client = console.client()
    return client.escalate(**{**task, **more})


def test_a_decision_acknowledged_by_an_earlier_life_is_asked_for_again(console, task):
    case = opened(console, task, key="trip")
    console.decide(case)
    case.ack(case.wait())
    assert console.client().case("trip").wait(1).approved


def test_a_decision_is_the_same_however_often_it_is_waited_for(console, task):
    case = opened(console, task)
    console.decide(case)
    assert case.wait() is case.wait()


def test_edited_steps_have_a_new_key_and_the_digest_is_of_what_was_edited(console, task):
    case = opened(console, task)
    console.decide(case, "edit", steps=[{"id": "refund", "args": {"amount": 50}}])
    decision = case.wait()
    assert decision.steps[0].edited
    assert decision.steps[0].idempotency_key != "k-1"


def test_a_step_that_people_switched_off_is_not_to_be_run(console, task):
    case = opened(console, task)
    console.decide(case, "edit", steps=[{"id": "refund", "run": False}])
    decision = case.wait()
    assert decision.approved
    assert decision.to_run == ()


@pytest.mark.parametrize("answer", [False, 0, "", None, {"seat": "12A"}])
def test_every_json_value_is_an_answer(console, task, answer):
    case = opened(console, task)
    console.decide(case, "respond", answer=answer)
    decision = case.wait()
    assert (decision.answered, decision.answer, decision.approved, decision.to_run) == (
        True,
        answer,
        False,
        (),
    )


def test_a_refusal_approves_nothing(console, task):
    case = opened(console, task)
    console.decide(case, "reject", message="No.")
    decision = case.wait()
    assert (decision.approved, decision.to_run, decision.message, decision.answered) == (
        False,
        (),
        "No.",
        False,
    )


@pytest.mark.parametrize("end", ["expire", "cancel"])
def test_an_end_that_nobody_decided_approves_nothing(console, task, end):
    case = opened(console, task)
    getattr(console, end)(case)
    decision = case.wait()
    assert decision.kind in {"expired", "cancelled"}
    assert (decision.approved, decision.to_run, decision.action, decision.answered) == (
        False,
        (),
        None,
        False,
    )


def test_a_decision_has_no_truth_value_so_that_a_no_cannot_pass_for_a_yes(console, task):
    case = opened(console, task)
    console.decide(case, "reject")
    with pytest.raises(TypeError, match="approved"):
        bool(case.wait())


def test_steps_changed_on_the_way_are_refused(console, task):
    case = opened(console, task)
    row = console.decide(case)
    row["steps"][0]["args"] = {"amount": 10_000}
    with pytest.raises(switchboard.DigestMismatch):
        case.wait()


def test_an_approval_without_a_digest_is_refused(console, task):
    case = opened(console, task)
    del console.decide(case)["args_digest"]
    with pytest.raises(switchboard.DigestMismatch):
        case.wait()


def test_nobody_deciding_is_undecided_and_an_outage_is_unreachable(console, task):
    case = opened(console, task)
    with pytest.raises(switchboard.Undecided):
        case.wait(60)
    console.down()
    with pytest.raises(switchboard.Unreachable) as seen:
        case.wait(60)
    assert type(seen.value) is switchboard.Unreachable


def test_a_case_whose_time_runs_out_while_it_is_waited_for_has_expired(console, task):
    case = opened(console, task, expires_at=console.clock.now() + timedelta(minutes=5))
    assert case.wait(timeout=600).kind == "expired"
    assert console.clock.monotonic() >= 300


def test_the_next_revision_has_a_decision_of_its_own(console, task):
    case = opened(console, task)
    stale = console.client().case(case.key)
    case.revise(title="Refund, again", severity="critical")
    assert case.revision == 2
    assert console.book.find(case).package["title"] == "Refund, again"
    assert console.book.find(case).package["goal"] == "Be fair"
    assert stale.wait(1).kind == "superseded"
    console.decide(case)
    assert case.wait(1).revision == 2


def test_a_stale_process_is_fenced_off(console, task):
    case = opened(console, task)
    console.decide(case)
    decision = case.wait()
    case.ack(decision, fence=5)
    with pytest.raises(switchboard.Conflict, match="STALE_FENCE"):
        case.ack(decision, fence=4)


def test_a_secret_in_a_plan_travels_as_a_reference_and_is_put_in_when_it_is_run(console, task, caplog):
    step = {
        "id": "s",
        "tool": "pay",
        "idempotency_key": "k",
        "args": {"card": {"$ref": "secret-1"}, "n": [{"$ref": "x", "y": 1}]},
    }
    plan = {"id": "p", "kind": "retry", "title": "Pay", "steps": [step]}
    case = opened(console, task, proposals=[plan])
    console.decide(case)
    args = case.wait().to_run[0].args
    assert args == step["args"]
    assert switchboard.resolve(args, {"secret-1": "4111"}.__getitem__) == {
        "card": "4111",
        "n": [{"$ref": "x", "y": 1}],
    }
    assert "$ref" not in caplog.text
    step["args"] = {"card": "4111"}
    opened(console, task, proposals=[plan])
    assert "Send {'$ref'" in caplog.text


async def test_a_coroutines_wait_ends_with_the_clock(console, task):
    case = await console.async_client().escalate(**task)
    wait = asyncio.create_task(case.wait(60))
    await asyncio.sleep(0)
    await console.clock.advance_async(59)
    assert not wait.done()
    await console.clock.advance_async(2)
    with pytest.raises(switchboard.Undecided):
        await wait
