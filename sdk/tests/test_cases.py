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


def test_a_case_that_names_no_trace_is_the_same_case_after_a_restart(console, task):
    del task["trace_id"]
    failure = {"call_id": "c-1", "tool": "upgrade"}
    for said in ({"key": "k"}, {"failure": failure}):
        assert opened(console, task, **said).id == opened(console, task, **said).id
    assert len({case.package["trace_id"] for case in console.cases}) == 2
    assert all(len(case.package["trace_id"]) == 32 for case in console.cases)


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


def test_a_case_shows_itself(console, task):
    assert repr(opened(console, task)) == "<Case C-1 revision 1>"


def test_a_case_may_be_decided_the_moment_it_is_opened():
    console = FakeConsole()
    console.on_open = lambda case: console.decide(case, "reject")
    assert console.client().escalate(title="T", goal="G", trigger="other").wait().action == "reject"
