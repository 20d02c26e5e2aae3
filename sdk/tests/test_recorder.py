import asyncio

import pytest


class Busy:
    status_code = 503
    headers = {"Retry-After": "2"}
    text = "busy"


class Answered(Exception):
    """What an HTTP library raises, as far as anybody looks at it."""

    response = Busy()


def test_a_call_that_worked_is_recorded_with_time_arguments_and_result(console):
    client = console.client()
    with client.call("search", side_effect="read", args={"q": 1}, dependency="flights") as call:
        console.clock.advance(0.25)
        call.result([{"flight": "SB12"}])
    seen = console.calls[0]
    assert seen["call_id"] == call.call_id
    assert (seen["tool"], seen["args"], seen["dependency"]) == ("search", {"q": 1}, "flights")
    assert (seen["outcome"], seen["duration_ms"]) == ("succeeded", 250)
    assert seen["result"] == [{"flight": "SB12"}]


def test_what_the_call_raises_goes_on_to_the_agent_and_is_kept_as_evidence(console):
    client = console.client()
    with pytest.raises(Answered), client.call("search"):
        raise Answered("no luck")
    seen = console.calls[0]
    assert "outcome" not in seen, "the console judges from the evidence"
    exception = seen["evidence"].pop("exception")
    assert exception == {"type": "Answered", "module": __name__, "message": "no luck"}
    assert seen["evidence"]["http_status"] == 503
    assert seen["evidence"]["body"] == "busy"


def test_an_empty_result_is_left_to_the_console_to_judge(console):
    client = console.client()
    for nothing in (None, [], {}, ""):
        with client.call("search") as call:
            call.result(nothing)
    assert all("outcome" not in seen for seen in console.calls)


def test_attempts_are_recorded_with_their_waits_and_a_retry_that_helped_is_a_recovery(console):
    client = console.client()
    with client.call("search") as call:
        for wait in (0.0, 1.0, 2.0):
            console.clock.advance(wait)
            try:
                with call.attempt() as attempt:
                    console.clock.advance(0.1)
                    if wait < 2:
                        raise Answered
                    attempt.saw(http_status=200)
            except Answered:
                continue
        call.result({"ok": True})
    seen = console.calls[0]
    rows = [
        (each["n"], each["duration_ms"], each.get("wait_ms"), each["http_status"])
        for each in seen["attempts"]
    ]
    assert rows == [(1, 100, None, 503), (2, 100, 1000, 503), (3, 100, 2000, 200)]
    assert seen["outcome"] == "recovered"
    assert seen["recovery"] == {"by": "retry", "action": "retried", "latency_ms": 3200}


def test_what_went_wrong_can_be_said_in_the_fixed_words(console):
    client = console.client()
    with client.call("seat") as call:
        call.failed("invalid_args", "ENUM", field="seat", received="靠窗", hint="window")
        call.set(timeout_ms=3000)
    seen = console.calls[0]
    assert seen["outcome"] == "failed"
    assert seen["failure"] == {
        "class": "invalid_args",
        "code": "ENUM",
        "field": "seat",
        "received": "靠窗",
        "hint": "window",
    }
    assert seen["timeout_ms"] == 3000


def test_what_was_seen_is_evidence_and_who_helped_is_recovery(console):
    client = console.client()
    with client.call("seat") as call:
        call.saw(http_status=207, headers={"x": "y"}, body={"errors": []}, exit_code=3)
    with client.call("seat") as call:
        call.recovered("rule", rule="enum-map", action="repaired", latency_ms=12)
    assert console.calls[0]["evidence"] == {
        "http_status": 207,
        "headers": {"x": "y"},
        "body": {"errors": []},
        "exit_code": 3,
    }
    assert console.calls[1]["recovery"] == {
        "by": "rule",
        "rule": "enum-map",
        "action": "repaired",
        "latency_ms": 12,
    }


async def test_it_works_around_a_coroutine_and_tells_of_cancellation(console):
    client = console.async_client()

    async def tool():
        async with client.call("slow") as call, call.attempt():
            await asyncio.sleep(3600)

    task = asyncio.create_task(tool())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert console.calls[0]["evidence"]["exception"]["type"] == "CancelledError"
    assert len(console.calls[0]["attempts"]) == 1


def test_an_exception_whose_text_cannot_be_read_is_still_reported(console):
    class Broken(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    client = console.client()
    with pytest.raises(Broken), client.call("t"):
        raise Broken
    assert "RuntimeError" in console.calls[0]["evidence"]["exception"]["message"]


def test_the_number_of_a_system_error_is_kept(console):
    client = console.client()
    with pytest.raises(OSError, match="refused"), client.call("t"):
        raise ConnectionRefusedError(111, "refused")
    assert console.calls[0]["evidence"]["exception"]["errno"] == 111
