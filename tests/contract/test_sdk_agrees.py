"""The SDK's own copies of the wire and the console's: what it sends is accepted, what is answered it can read."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import switchboard
from escalations import contract as decisions
from escalations import vocabulary
from escalations.queries.wire import spelled
from switchboard import wire
from switchboard._canonical import args_digest
from switchboard.testing import FakeConsole
from telemetry import contract as facts

AT = datetime(2030, 1, 1, 9, tzinfo=UTC)
VECTORS = json.loads((Path(__file__).parent / "digests.json").read_text("utf-8"))["vectors"]
CASE_ID = "41db785b-0ed7-431b-bb6f-e34c97e03f1e"


@pytest.fixture
def console():
    return FakeConsole()


def bodies(console, path):
    for request in console.requests:
        if request.path.split("?")[0].endswith(path) and request.body:
            packed = request.headers.get("content-encoding") == "gzip"
            yield gzip.decompress(request.body) if packed else request.body


def everything():
    """Every field of every model that a case can say."""
    failure = wire.CaseFailure(
        call_id="c-2", tool="upgrade", class_="unknown_outcome", code="TIMEOUT", field="seat", constraint="one of: a",
        received="b", hint="a", message="No answer.", args={"a": 1}, side_effect="write", idempotency_key="k",
        http_status=504, reasoning="Because.",
        attempts=[wire.AttemptSeen(n=1, started_at=AT, duration_ms=10.5, wait_ms=1.0, http_status=504, code="TIMEOUT",
                                   class_="transient", message="late")],
        breaker=wire.BreakerSeen(name="upgrades", state="open", failed=4),
    )  # fmt: skip
    steps = [
        wire.PlannedStep(
            id="check", tool="find", args={"n": None}, args_schema={"type": "object"}, side_effect="read",
            reconciles="c-2", note="First.", idempotency_key="k-1",
        ),
        wire.PlannedStep(
            id="undo", tool="refund", side_effect="idempotent_write", reversible=True, compensates="c-1",
            depends_on=["check"], run_if=wire.RunIf(step="check", is_="succeeded"), idempotency_key="k-2",
        ),
    ]  # fmt: skip
    return {
        "title": "T", "goal": "G", "trigger": "unknown_outcome", "trace_id": "t", "session_id": "s", "severity": "high",
        "failure": failure,
        "steps": [wire.DoneStep(call_id="c-1", tool="book", args={}, result=[1], status="succeeded", side_effect="write",
                                reversible=True, at=AT)],
        "proposals": [wire.Proposal(id="p", kind="compensate", title="Undo", rationale="R", risk="X", recommended=True,
                                    steps=steps)],
        "question": wire.Question(response_schema={"type": "string"}), "allowed": ["approve", "edit", "reject"],
        "expires_at": AT + timedelta(hours=1), "on_timeout": wire.OnTimeout(action="expire"), "context": {"order": 7},
        "attempt": 2, "predecessor": CASE_ID,
    }  # fmt: skip


def test_every_call_the_sdk_can_write_is_accepted(console):
    client = console.client(agent_version="2.1", session_id="s")
    client.report(
        wire.Call(
            tool="t", dependency="d", side_effect="read", idempotency_key="k", rev=1, span_id="1", parent_span_id="0",
            round=1, turn_id="u", limits={"calls": wire.Limit(used=1, max=3)}, timeout_ms=10.0, outcome="failed",
            failure=wire.Failure(class_="hard", code="NO", field="f", constraint="c", received=1, hint="h", message="m"),
            evidence=wire.Evidence(http_status=404, headers={"a": "b"}, body={}, grpc_status=5, exit_code=1, stderr="e",
                                   exception=wire.ExceptionSeen(type="X", module="m", message="x", errno=1)),
            args_schema={"type": "object"}, attempts=[wire.Attempt(n=1, started_at=AT, duration_ms=1.5, class_="hard")],
            recovery=wire.Recovery(by="retry", rule="r", action="a", latency_ms=1.0), retry_of="x",
            items=[wire.ItemResult(key="1", status="failed", failure=wire.Failure(class_="transient"))],
            args={"card": "4111111111111111"}, result=[object()], reasoning="Because.", attributes={"own": 1},
        )
    )  # fmt: skip
    with pytest.raises(ConnectionError), client.call("t", args={"q": 1}) as call, call.attempt():
        raise ConnectionResetError(104, "reset")
    with client.call("t") as call:
        with call.attempt() as attempt:
            attempt.saw(http_status=503, code="UNAVAILABLE", class_="transient")
        with call.attempt():
            call.result({"ok": True})
    seen = [facts.ReportCalls.read(body) for body in bodies(console, "/calls")]
    assert sum(len(each.calls) for each in seen) == 3


def test_every_case_the_sdk_can_write_is_accepted(console):
    client = console.client()
    case = client.escalate(key="k", **everything())
    opened = decisions.OpenCase.read(next(bodies(console, "/escalations")))
    assert opened.proposals[0].steps[1].run_if.ended == "succeeded"
    client.escalate(title="T", goal="G", trigger="other")
    assert decisions.OpenCase.read(list(bodies(console, "/escalations"))[1]).severity == "medium"
    case.revise(title="Again")
    revised = decisions.ReviseCase.read(next(bodies(console, f"/escalations/{case.id}")))
    assert (revised.base_revision, revised.title, revised.goal) == (1, "Again", "G")


def test_acknowledgements_outcomes_and_withdrawals_are_accepted(console):
    case = console.client().escalate(**everything())
    console.decide(case)
    decision = case.wait()
    case.ack(decision, fence=3)
    failure = wire.Failure(class_="transient", code="TIMEOUT", message="m")
    items = [wire.ItemResult(key="1", status="unknown", failure=failure)]
    result = wire.StepResult(
        id="undo", status="partial", call_id="c", result={"a": None}, failure=failure, items=items
    )
    case.report(decision, "partial", [result, {"id": "check", "status": "skipped"}])
    other = console.client().escalate(title="T", goal="G", trigger="other")
    other.cancel("solved itself")
    assert decisions.Acknowledge.read(next(bodies(console, "/ack"))).fence == 3
    assert decisions.ReportOutcome.read(next(bodies(console, "/outcome"))).status == "partial"
    assert decisions.CancelCase.read(next(bodies(console, "/cancel"))).reason == "solved itself"


def test_what_breakers_say_is_accepted(console):
    class Fuse:
        name = "flights"

        def snapshot(self):
            window = wire.Window(type="time", size=60.0, calls=4, failed=1, slow=1, failure_rate=0.25)
            thresholds = wire.Thresholds(
                failure_rate=0.5, slow_rate=0.8, min_calls=5, slow_ms=100.0, wait_s=30.0, probes=1
            )
            return wire.BreakerSnapshot(
                state="half_open", since=AT, scope="provider", window=window, thresholds=thresholds,
                counted_classes=["transient"], open_until=AT,
            )  # fmt: skip

        def obey(self, _command):
            return wire.Obeyed.APPLIED

    link = console.client(agent_version="2.1").breakers
    link.register(Fuse())
    link.report(
        wire.BreakerEvent(
            breaker="flights", from_state="closed", to_state="open", reason="failure_rate", tool="search",
            window=wire.Window(calls=10, failed=6), class_counts={"transient": 6}, open_until=AT,
            trigger=wire.Cause(trace_id="t", call_id="c", error_type="TIMEOUT"),
        )
    )  # fmt: skip
    console.beat()
    console.order("flights", "force_open")
    assert len(facts.ReportBreakerEvents.read(next(bodies(console, "/events"))).events) == 1
    assert facts.Heartbeat.read(next(bodies(console, "/test"))).breakers[0].seq == 1
    assert facts.AcknowledgeCommand.read(next(bodies(console, "/ack"))).status == "applied"


def test_the_orders_the_console_writes_can_be_read():
    said = facts.BreakerCommand(
        command_id=CASE_ID, number=4, breaker="flights", command="force_open", instances=["a"], reason="down", by="Ada",
        issued_at=AT, expires_at=AT, expected_state="open",
    )  # fmt: skip
    read = wire.BreakerCommand.model_validate(json.loads(said.model_dump_json()))
    assert (read.verb, read.actor, read.number, read.instances) == (wire.Verb.FORCE_OPEN, "Ada", 4, ("a",))
    assert read.expected_state == "open"


def decided(**more):
    said = {
        "kind": "decision", "decision_id": CASE_ID, "escalation_id": CASE_ID, "revision": 2, "seq": 7, "action": "edit",
        "by": {"kind": "person", "name": "Ada"}, "proposal_id": "p", "message": "go", "decided_at": AT,
        "steps": [{"id": "s", "tool": "t", "args": {"a": None}, "depends_on": ["r"], "edited": True, "run": True,
                   "run_if": {"step": "r", "is": "empty"}, "idempotency_key": "k", "side_effect": "write"}],
    }  # fmt: skip
    said |= more
    said["args_digest"] = args_digest(CASE_ID, 2, said["steps"])
    return json.loads(json.dumps(spelled(decisions.Decision(**said))))


def test_the_decisions_the_console_writes_can_be_read_and_their_digest_fits():
    decision = switchboard.Decision.read(decided())
    assert (decision.approved, decision.answered, decision.by.name) == (True, False, "Ada")
    assert decision.to_run[0].run_if == {"step": "r", "is": "empty"}
    assert switchboard.Decision.read(decided(action="respond", steps=[], answer=None)).answered
    ended = decided(kind="expired", action=None, by=None, proposal_id=None, steps=[])
    assert switchboard.Decision.read(ended).kind is wire.Kind.EXPIRED


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_both_compute_the_same_digest(vector):
    if "args_digest" not in vector:
        with pytest.raises(switchboard.Unsendable):
            args_digest(vector["escalation_id"], vector["revision"], vector["steps"])
        return
    computed = args_digest(vector["escalation_id"], vector["revision"], vector["steps"])
    assert computed == vector["args_digest"]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (wire.Kind, "DecisionKind"), (wire.Action, "Action"),
    ],
)  # fmt: skip
def test_the_words_of_decisions_are_the_same(ours, theirs):

    assert [each.value for each in ours] == [each.value for each in getattr(vocabulary, theirs)]
