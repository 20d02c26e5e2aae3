"""The public types, for type checkers only: nothing here is ever run."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, assert_type

import switchboard
from switchboard import wire
from switchboard.testing import FakeCase, FakeClock, FakeConsole
from switchboard.vocabulary import Effect, FailureClass, Trigger

client = switchboard.Client("https://console.example", "sb_key", agent_version="1", spool=None)
assert_type(client.report({"tool": "t"}), None)
assert_type(client.report(switchboard.Call(tool="t", side_effect="read")), None)
assert_type(client.report(switchboard.Call(tool="t", side_effect=Effect.READ)), None)
assert_type(client.call("t", args={}), switchboard.Recorder)
assert_type(client.stats, switchboard.Stats)
assert_type(client.flush(), bool)
assert_type(client.close(), None)
assert_type(client.aio, switchboard.AsyncClient)
assert_type(client.aio.sync, switchboard.Client)
assert_type(client.breakers, switchboard.BreakerLink)

with client.call("t") as call, call.attempt() as attempt:
    attempt.saw(http_status=200, class_="transient")
    call.result(1)
    call.failed("hard", "NO", field="f")

failure = wire.CaseFailure(call_id="c", tool="t", class_=FailureClass.HARD, code="NO")
step = wire.PlannedStep(id="s", tool="t", idempotency_key="k", run_if=wire.RunIf(step="r", is_="failed"))
plan = wire.Proposal(id="p", kind="retry", title="T", steps=[step])
case = client.escalate(
    title="T",
    goal="G",
    trigger="other",
    severity="high",
    failure=failure,
    proposals=[plan, {"id": "q", "kind": "retry", "title": "T"}],
    expires_at=datetime(2030, 1, 1, tzinfo=UTC),
)
assert_type(case, switchboard.Case)
assert_type(client.case("key"), switchboard.Case)
client.escalate(title="T", goal="G", trigger=Trigger.OTHER)

decision = case.wait(timeout=1.5)
assert_type(decision, switchboard.Decision)
assert_type(decision.approved, bool)
assert_type(decision.to_run, tuple[switchboard.DecidedStep, ...])
assert_type(decision.kind, wire.Kind)
assert_type(decision.action, wire.Action | None)
assert_type(case.ack(decision, fence=1), None)
assert_type(case.report(decision, "executed", [wire.StepResult(id="s", status="succeeded")]), str)
assert_type(case.revise(title="T"), None)
assert_type(case.cancel("why"), None)

client.escalate(title="T", goal="G", trigger="whim")  # type: ignore[arg-type]
client.escalate(titel="T")  # type: ignore[call-arg]
case.report(decision, "done")  # type: ignore[arg-type]
switchboard.Call(tol="t")  # type: ignore[call-arg]
switchboard.Call(tool="t", side_effect="maybe")  # type: ignore[arg-type]


async def coroutines() -> None:
    async with switchboard.AsyncClient() as aio:
        opened = await aio.escalate(title="T", goal="G", trigger="other")
        assert_type(opened, switchboard.AsyncCase)
        assert_type(await opened.wait(), switchboard.Decision)
        assert_type(await opened.report(decision, "failed"), str)
        assert_type(await aio.flush(), bool)


class Fuse:
    name = "f"

    def snapshot(self) -> wire.BreakerSnapshot:
        return wire.BreakerSnapshot(state="closed", since=datetime(2030, 1, 1, tzinfo=UTC))

    def obey(self, command: wire.BreakerCommand) -> wire.Obeyed:
        assert_type(command.verb, wire.Verb)
        return wire.Obeyed.APPLIED


client.breakers.register(Fuse())
client.breakers.report(
    wire.BreakerEvent(breaker="f", from_state="closed", to_state="open", reason="consecutive")
)

console = FakeConsole(FakeClock())
assert_type(console.client(), switchboard.Client)
assert_type(console.async_client(), switchboard.AsyncClient)
assert_type(console.cases, list[FakeCase])
assert_type(console.decide(case), dict[str, Any])
console.decide(case, "perhaps")  # type: ignore[arg-type]

with switchboard.trace() as trace_id:
    assert_type(trace_id, str)
with switchboard.loud():
    pass


def lookup(name: str) -> str:
    return name


args: Mapping[str, Any] = switchboard.resolve({"a": {"$ref": "b"}}, lookup)
