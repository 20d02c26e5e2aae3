import asyncio
import json
from datetime import timedelta

import pytest

import switchboard
from switchboard import wire
from switchboard.testing import FakeConsole


def opened(console, task, **more):
    client = console.client()
    return client.escalate(**{**task, **more})


def test_a_case_is_opened_waited_for_acknowledged_and_reported(console, task):
    case = opened(console, task)
    console.decide(case, message="fine")
    decision = case.wait()
    assert decision.approved
    assert (decision.message, decision.by.kind, decision.by.name) == ("fine", "person", "Operator")
    case.ack(decision, fence=3)
    result = wire.StepResult(id="refund", status="executed", call_id="c-9", result={"refunded": 100})
    report_id = case.report(decision, "executed", [result])
    kept = console.book.find(case)
    assert (kept.state, kept.execution, kept.fence) == ("approved", "executed", 3)
    said = {"decision_id": decision.decision_id, "args_digest": decision.args_digest}
    assert console.acks == [{**said, "fence": 3}]
    row = {"id": "refund", "status": "executed", "call_id": "c-9", "result": {"refunded": 100}}
    assert console.outcomes == [{**said, "status": "executed", "steps": [row], "report_id": report_id}]


def test_what_is_sent_is_what_the_contract_names(console, task):
    failure = wire.CaseFailure(
        call_id="c-1", tool="upgrade", class_="unknown_outcome", code="TIMEOUT", message="No answer.",
        attempts=[wire.AttemptSeen(n=1, wait_ms=0.0, code="TIMEOUT", class_="transient")],
        breaker=wire.BreakerSeen(name="upgrades", state="open", failed=4),
    )  # fmt: skip
    done = wire.DoneStep(
        call_id="c-0", tool="book", args={"seat": 1}, result={"id": "B1"}, at=console.clock.now()
    )
    case = opened(
        console, task, key="k-1", severity="high", failure=failure, steps=[done], allowed=["approve", "reject"],
        expires_at=console.clock.now() + timedelta(hours=1), on_timeout=wire.OnTimeout(action="expire"),
        question=wire.Question(response_schema={"type": "string"}), context={"order": 7}, session_id="s-1",
    )  # fmt: skip
    assert json.loads(console.requests[-1].body) == {
        "key": "k-1", "trace_id": "t1", "session_id": "s-1", "title": "Refund", "goal": "Be fair",
        "trigger": "requested", "severity": "high", "expires_at": "2030-01-01T10:00:00Z",
        "on_timeout": {"action": "expire"}, "allowed": ["approve", "reject"],
        "steps": [{"call_id": "c-0", "tool": "book", "args": {"seat": 1}, "result": {"id": "B1"},
                   "status": "succeeded", "side_effect": "write", "at": "2030-01-01T09:00:00Z"}],
        "failure": {"call_id": "c-1", "tool": "upgrade", "class": "unknown_outcome", "code": "TIMEOUT",
                    "message": "No answer.",
                    "attempts": [{"n": 1, "wait_ms": 0.0, "code": "TIMEOUT", "class": "transient"}],
                    "breaker": {"name": "upgrades", "state": "open", "failed": 4}},
        "proposals": [{"id": "p1", "kind": "compensate", "title": "Give it back", "rationale": "", "risk": "",
                       "recommended": False,
                       "steps": [{"id": "refund", "tool": "refund", "args": {"amount": 100}, "side_effect": "write",
                                  "reversible": False, "idempotency_key": "k-1"}]}],
        "question": {"response_schema": {"type": "string"}}, "context": {"order": 7}, "attempt": 1,
    }  # fmt: skip
    assert (case.key, case.revision, case.reference) == ("k-1", 1, "C-1")
    assert case.url == "http://console.test/cases/C-1/"


def test_the_same_key_gives_the_same_case_and_other_content_is_refused(console, task):
    client = console.client()
    one = client.escalate(**task, key="k")
    assert client.escalate(**task, key="k").id == one.id
    with pytest.raises(switchboard.IdempotencyConflict):
        client.escalate(**{**task, "title": "Something else"}, key="k")
    assert len(console.cases) == 1


def test_without_a_key_a_failed_call_makes_the_same_one_after_a_restart(console, task):
    failure = {"call_id": "c-1", "tool": "upgrade"}
    one = opened(console, task, failure=failure)
    two = opened(console, task, failure=failure)
    other = opened(console, task, failure={**failure, "call_id": "c-2"})
    assert one.key == two.key != other.key
    assert len(console.cases) == 2
    assert opened(console, task).key != opened(console, task).key


def test_an_answer_that_is_lost_on_the_way_back_opens_no_second_case(console, task):
    console.lose_next(path="/api/v1/escalations")
    case = opened(console, task)
    assert [each.id for each in console.cases] == [case.id]


def test_a_restarted_agent_finds_its_case_by_key_and_by_id_and_still_gets_the_decision(console, task):
    before = opened(console, task, key="trip-42")
    console.decide(before, "edit", steps=[{"id": "refund", "args": {"amount": 50}}])
    for name in ("trip-42", before.id):
        case = console.client().case(name)
        decision = case.wait(1)
        assert (decision.action, decision.to_run[0].args) == ("edit", {"amount": 50})
    with pytest.raises(switchboard.NotFound, match="trip-43"):
        console.client().case("trip-43")
    with pytest.raises(switchboard.NotFound):
        console.client().case("0b0b0b0b-0000-4000-8000-000000000000")


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


def test_a_case_found_again_is_revised_with_the_whole_package(console, task):
    opened(console, task, key="trip")
    case = console.client().case("trip")
    with pytest.raises(switchboard.Unsendable, match="title"):
        case.revise(goal="Another goal")
    case.revise(**task)
    assert case.revision == 2


def test_revising_what_somebody_else_has_revised_is_a_conflict(console, task):
    case = opened(console, task, key="trip")
    console.client().case("trip").revise(**task)
    with pytest.raises(switchboard.Conflict, match="STALE_REVISION"):
        case.revise(title="Too late")


def test_a_case_can_be_withdrawn(console, task):
    case = opened(console, task)
    case.cancel("solved itself")
    decision = case.wait()
    assert (decision.kind, decision.message) == ("cancelled", "solved itself")


def test_a_stale_process_is_fenced_off(console, task):
    case = opened(console, task)
    console.decide(case)
    decision = case.wait()
    case.ack(decision, fence=5)
    with pytest.raises(switchboard.Conflict, match="STALE_FENCE"):
        case.ack(decision, fence=4)


def test_the_same_report_is_stored_once_and_another_one_is_another(console, task):
    case = opened(console, task)
    console.decide(case)
    decision = case.wait()
    console.lose_next(path=f"/api/v1/escalations/{case.id}/outcome")
    first = case.report(decision, "executing")
    assert case.report(decision, "executing") == first
    second = case.report(decision, "executed", [{"id": "refund", "status": "executed"}])
    assert second != first
    assert [each["report_id"] for each in console.outcomes] == [first, second]
    case.report(decision, "failed", report_id="my-own")
    assert console.outcomes[-1]["report_id"] == "my-own"


def test_secrets_of_what_was_done_do_not_reach_people(console, task):
    case = opened(
        console, task, steps=[{"call_id": "c", "tool": "pay", "args": {"card": "4111111111111111"}}],
        failure={"call_id": "d", "tool": "login", "field": "password", "received": "hunter2", "args": {"token": "t"}},
        context={"api_key": "k", "order": 7},
    )  # fmt: skip
    package = console.book.find(case).package
    assert package["steps"][0]["args"] == {"card": "[redacted]"}
    assert package["failure"]["received"] == "[redacted]"
    assert package["failure"]["args"] == {"token": "[redacted]"}
    assert package["context"] == {"api_key": "[redacted]", "order": 7}


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
    assert not caplog.records
    step["args"] = {"card": "4111"}
    opened(console, task, proposals=[plan])
    assert "Send {'$ref'" in caplog.text


@pytest.mark.parametrize("args", [{"n": 2**53}, {"n": float("nan")}, {"s": "\ud800"}])
def test_a_plan_that_has_no_digest_is_refused_before_it_is_sent(console, task, args):
    step = {"id": "s", "tool": "pay", "idempotency_key": "k", "args": args}
    with pytest.raises(switchboard.Unsendable):
        opened(console, task, proposals=[{"id": "p", "kind": "retry", "title": "Pay", "steps": [step]}])
    assert console.requests == []


@pytest.mark.parametrize(
    "wrong", [{"trigger": "whim"}, {"titel": "T"}, {"proposals": [{"id": 1}]}, {"context": {"x": object()}}]
)
def test_what_the_contract_does_not_know_is_refused_before_it_is_sent(console, task, wrong):
    with pytest.raises(switchboard.Unsendable):
        opened(console, task, **wrong)
    assert console.requests == []


def test_a_long_error_text_does_not_keep_a_task_from_people(console, task):
    case = opened(console, task, title="x" * 1_000, context={"trace": "y" * 10**6, "half": "\ud800"})
    assert len(console.book.find(case).package["title"]) == 300


def test_a_console_that_answers_nonsense_is_not_believed(console, task):
    console.answer_next(201, b'{"ok": true}')
    with pytest.raises(switchboard.BadAnswer):
        opened(console, task)
    console.answer_next(201, b"<html>")
    with pytest.raises(switchboard.BadAnswer):
        opened(console, task)


async def test_everything_works_for_coroutines(console, task):
    client = console.async_client()
    case = await client.escalate(**task, key="k")
    wait = asyncio.create_task(case.wait(60))
    await asyncio.sleep(0)
    assert not wait.done()
    console.decide(case)
    decision = await wait
    await case.ack(decision)
    assert await case.report(decision, "executed") == console.outcomes[0]["report_id"]
    again = await client.case("k")
    assert (await again.wait()).approved
    other = await client.escalate(**task)
    await other.revise(title="Another")
    await other.cancel()
    assert (await other.wait()).kind == "cancelled"


async def test_a_coroutines_wait_ends_with_the_clock(console, task):
    case = await console.async_client().escalate(**task)
    wait = asyncio.create_task(case.wait(60))
    await asyncio.sleep(0)
    await console.clock.advance_async(59)
    assert not wait.done()
    await console.clock.advance_async(2)
    with pytest.raises(switchboard.Undecided):
        await wait


def test_a_case_shows_itself(console, task):
    assert repr(opened(console, task)) == "<Case C-1 revision 1>"


def test_a_case_may_be_decided_the_moment_it_is_opened():
    console = FakeConsole()
    console.on_open = lambda case: console.decide(case, "reject")
    assert console.client().escalate(title="T", goal="G", trigger="other").wait().action == "reject"
