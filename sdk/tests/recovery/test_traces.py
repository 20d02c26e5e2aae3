"""What the console is told: recovery.md §4.14, semantics 103-105."""

import asyncio
import json
from typing import Any

import pytest

import switchboard as sb
from switchboard.testing import FakeConsole
from switchboard.wire import Call


def reported(box: sb.Toolbox, console: FakeConsole) -> list[dict[str, Any]]:
    box.client.flush()  # type: ignore[union-attr]
    return console.calls


async def test_103_one_call_with_all_its_attempts_is_told_once(box: sb.Toolbox, console: FakeConsole) -> None:
    failures = [sb.HttpFailure(503), sb.HttpFailure(429, {"Retry-After": "2"})]

    @box.tool(effect="read", dependency="flights", policy=sb.Policy(timeout_s=5))
    async def search(origin: str) -> list[str]:
        if failures:
            raise failures.pop(0)
        return [origin]

    await box.call("search", {"origin": "PVG"})
    (call,) = reported(box, console)
    Call.model_validate(call)
    assert (call["tool"], call["dependency"], call["side_effect"]) == ("search", "flights", "read")
    assert (call["outcome"], call["result"], call["timeout_ms"]) == ("recovered", ["PVG"], 5000)
    assert [(each["n"], each.get("http_status"), each.get("code"), each.get("class")) for each in call["attempts"]] == [
        (1, 503, "UNAVAILABLE", "transient"), (2, 429, "RATE_LIMITED", "transient"), (3, None, None, None),
    ]  # fmt: skip
    assert call["attempts"][2]["wait_ms"] >= 2000
    assert call["recovery"]["by"] == "retry"
    assert call["recovery"]["latency_ms"] >= 2000


async def test_103_a_failure_brings_its_evidence_raw_and_no_credentials(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    @box.tool(effect="read", policy=sb.Policy(attempts=1))
    async def search() -> None:
        raise sb.HttpFailure(503, {"Set-Cookie": "session=1", "Retry-After": "x"}, {"detail": "busy"})

    await box.call("search")
    (call,) = reported(box, console)
    assert call["evidence"] == {
        "http_status": 503,
        "headers": {"retry-after": "x"},
        "body": {"detail": "busy"},
    }
    assert call["failure"]["class"] == "transient"


async def test_103_a_write_carries_its_key_and_a_refused_call_is_told_too(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    keys = []

    @box.tool(effect="write", max_calls=1)
    async def pay(amount: int, ctx: sb.Context) -> None:
        keys.append(ctx.idempotency_key)

    async with box.session(goal="g") as session:
        await session.call("pay", {"amount": 1})
        await session.call("pay", {"amount": 2})
        await session.call("pay", {"amount": "x"})
        await session.call("pya", {"amount": 1})
    calls = reported(box, console)
    assert calls[0]["idempotency_key"] == keys[0]
    assert [call.get("failure", {}).get("code") for call in calls] == [
        None,
        "TOOL_CALL_LIMIT",
        "TOOL_CALL_LIMIT",
        "UNKNOWN_TOOL",
    ]


async def test_104_secrets_are_out_before_anything_is_queued(box: sb.Toolbox) -> None:
    told: list[Any] = []

    class Listening:
        def report(self, call: Any) -> None:
            told.append(call)

    listening = sb.Toolbox(Listening(), clock=box.clock)  # type: ignore[arg-type]

    @listening.tool(effect="write", redact="pin", redact_result="token")
    async def login(pin: str) -> dict[str, str]:
        return {"token": "t0ken", "name": "Li"}

    await listening.call("login", {"pin": "1234"})
    text = json.dumps(told, default=str)
    assert "1234" not in text
    assert "t0ken" not in text


async def test_104_a_console_that_is_away_or_broken_neither_slows_nor_fails_a_call(
    console: FakeConsole, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def report(self, call: Any) -> None:
            raise RuntimeError("queue is broken")

    for client in (Broken(), console.client()):
        with sb.Toolbox(client, clock=console.clock) as box, console.outage():  # type: ignore[arg-type]

            @box.tool(effect="read")
            async def look() -> str:
                return "x"

            assert (await box.call("look")).ok
    assert "queue is broken" in caplog.text
    assert console.clock.slept == []


async def test_105_a_call_told_twice_is_one_call(
    box: sb.Toolbox, console: FakeConsole, tmp_path: Any
) -> None:
    @box.tool(effect="write")
    async def pay() -> str:
        return "x"

    for _ in range(3):
        async with box.session(id="s", goal="g", journal=tmp_path / "j") as session:
            await session.call("pay")
    calls = reported(box, console)
    assert len({call["call_id"] for call in calls}) == 1


async def test_what_the_model_put_right_is_told_as_recovered_by_it(
    box: sb.Toolbox, console: FakeConsole
) -> None:
    @box.tool(effect="read")
    async def search(city: str) -> list[str]:
        return [] if city == "Tokio" else [city]

    async with box.session(goal="g") as session:
        await session.call("search", {"city": "Tokio"})
        await session.call("search", {"city": "Tokyo"})
    calls = {call["call_id"]: call for call in reported(box, console)}
    recovered = next(call for call in calls.values() if call.get("recovery", {}).get("by") == "model")
    assert recovered["args"] == {"city": "Tokio"}
    assert [
        call["args"]["city"] for call in calls.values() if call.get("retry_of") == recovered["call_id"]
    ] == ["Tokyo"]


async def test_parallel_calls_are_each_told(box: sb.Toolbox, console: FakeConsole) -> None:
    @box.tool(effect="read")
    async def look(n: int) -> int:
        await asyncio.sleep(0)
        return n

    await asyncio.gather(*(box.call("look", {"n": n}) for n in range(1, 101)))
    assert len({call["call_id"] for call in reported(box, console)}) == 100
