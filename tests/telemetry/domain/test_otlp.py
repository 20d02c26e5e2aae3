"""Tool spans of every producer become calls; deferrals are no failures; transport is no second call."""

import json

import pytest

from telemetry.domain.otlp import BadSpan, Undecodable, from_json, from_protobuf, translate
from tests.telemetry.spans import START, TRACE, as_protobuf, exported, span, tool, value


def calls(*spans, **resource):
    return translate(from_json(exported(*spans, **resource))).calls


def one(*spans, **resource):
    (call,) = calls(*spans, **resource)
    return call


PRODUCERS = {
    "genai": tool(
        gen_ai__tool__call__id="c1", gen_ai__tool__call__arguments='{"to": "LIS"}', gen_ai__tool__call__result='{"n": 3}'
    ),
    "openinference": span(
        name="flight.search", openinference__span__kind="TOOL", tool__name="flight.search",
        input__value='{"to": "LIS"}', input__mime_type="application/json", output__value='{"n": 3}',
    ),
    "traceloop": span(
        name="flight.search.tool", traceloop__span__kind="tool", traceloop__entity__name="flight.search",
        traceloop__entity__input='{"args": [], "kwargs": {"to": "LIS"}}', traceloop__entity__output='{"n": 3}',
    ),
    "traceloop of langchain": span(
        name="flight.search.tool", traceloop__span__kind="tool", traceloop__entity__name="flight.search",
        traceloop__entity__input='{"input_str": "x", "tags": [], "metadata": {}, "inputs": {"to": "LIS"}, "kwargs": {}}',
        traceloop__entity__output='{"output": {"n": 3}, "kwargs": {}}',
    ),
    "vercel": span(
        name="ai.toolCall", ai__toolCall__name="flight.search", ai__toolCall__id="c1",
        ai__toolCall__args='{"to": "LIS"}', ai__toolCall__result='{"n": 3}',
    ),
    "pydantic_ai": span(
        name="running tool", gen_ai__tool__name="flight.search", tool_arguments='{"to": "LIS"}', tool_response='{"n": 3}'
    ),
    "mcp": span(
        name="tools/call flight.search", mcp__method__name="tools/call", gen_ai__tool__name="flight.search",
        gen_ai__tool__call__arguments={"to": "LIS"}, gen_ai__tool__call__result={"n": 3},
    ),
}  # fmt: skip


@pytest.mark.parametrize("producer", PRODUCERS)
def test_every_producer_gives_the_same_call(producer):
    call = one(PRODUCERS[producer])
    assert (call["tool"], call["args"], call["result"]) == ("flight.search", {"to": "LIS"}, {"n": 3})
    assert (call["trace_id"], call["call_id"], call["duration_ms"]) == (TRACE, f"{TRACE}:{1:016x}", 1000.0)
    assert call["started_at"] == "2026-11-30T12:00:28+00:00"
    assert call["rev"] == 1000
    assert call["side_effect"] == "read"


def test_protobuf_and_json_say_the_same():
    export = exported(*PRODUCERS.values(), tool(9, error="boom", events=[{"exception.type": "KeyError"}]))
    assert from_protobuf(as_protobuf(export)) == from_json(export)


def test_spans_that_call_no_tool_are_context_and_no_call():
    found = translate(
        from_json(
            exported(
                span(1, name="invoke_agent", gen_ai__conversation__id="s-1", gen_ai__agent__name="booker")
            )
        )
    )
    assert found.calls == []
    assert (found.contexts[0].session_id, found.contexts[0].agent) == ("s-1", "booker")


@pytest.mark.parametrize(
    "deferred",
    [
        tool(
            error="waiting",
            events=[{"exception.type": "langgraph.errors.GraphInterrupt", "exception.message": "?"}],
        ),
        tool(error="call deferred", pydantic_ai__tool__deferral__name="ApprovalRequired"),
        tool(error="x", error__type="CallDeferred", events=[{"exception.type": "CallDeferred"}]),
    ],
)
def test_waiting_for_a_person_is_no_failure(deferred):
    assert one(deferred)["outcome"] == "deferred"


def test_an_exception_is_evidence():
    call = one(
        tool(
            error="boom",
            events=[{"exception.type": "httpx.ConnectTimeout", "exception.message": "no answer"}],
        )
    )
    assert call["evidence"]["exception"] == {
        "type": "ConnectTimeout",
        "module": "httpx",
        "message": "no answer",
    }
    assert "failure" not in call


def test_a_status_without_a_word_is_a_failure_with_the_spans_message():
    assert one(tool(error="gateway said no"))["failure"] == {"message": "gateway said no"}
    assert "failure" not in one(tool())


def test_arguments_that_were_refused_are_invalid_args():
    assert one(tool(pydantic_ai__tool__failure_stage="validation"))["failure"] == {"class": "invalid_args"}
    text = "Error: 1 validation error for flight_search. Please fix your mistakes."
    assert one(tool(gen_ai__tool__call__result=text))["failure"]["class"] == "invalid_args"


def test_a_swallowed_error_of_a_tool_message_is_found():
    message = json.dumps({"status": "error", "content": "Error: timed out", "tool_call_id": "c1"})
    assert one(tool(gen_ai__tool__call__result=message))["failure"]["message"] == "Error: timed out"


def test_an_mcp_error_is_read_from_its_code():
    call = one(
        span(
            name="tools/call x",
            mcp__method__name="tools/call",
            gen_ai__tool__name="x",
            error__type="-32602",
            error="bad",
        )
    )
    assert call["evidence"]["body"]["error"]["code"] == -32602
    call = one(
        span(
            name="tools/call x",
            mcp__method__name="tools/call",
            gen_ai__tool__name="x",
            error__type="tool_error",
            error="no",
        )
    )
    assert call["evidence"]["body"]["isError"] is True


def test_the_status_of_the_request_beneath_is_evidence():
    request = span(2, name="GET", parent=1, http__request__method="GET", http__response__status_code=503)
    assert one(tool(error="failed"), request)["evidence"]["http_status"] == 503


def test_several_requests_beneath_are_attempts():
    first = span(
        2, name="GET", parent=1, http__request__method="GET", http__response__status_code=503, seconds=0.2
    )
    second = span(
        3,
        name="GET",
        parent=1,
        http__request__method="GET",
        http__response__status_code=200,
        start=0.5,
        seconds=0.1,
    )
    tries = one(tool(), second, first)["attempts"]
    assert [(row["n"], row["http_status"], row.get("class"), row["wait_ms"]) for row in tries] == [
        (1, 503, "transient", 0),
        (2, 200, None, 300.0),
    ]


def test_spans_of_one_operation_are_one_call_with_attempts():
    first = tool(1, toolcall__operation__id="op", toolcall__attempt=1, error="timeout", seconds=0.2)
    second = tool(2, toolcall__operation__id="op", toolcall__attempt=2, start=0.5, seconds=0.5)
    call = one(second, first)
    assert (call["call_id"], len(call["attempts"]), call["duration_ms"]) == (f"{TRACE}:op", 2, 1000.0)


def test_an_mcp_span_under_its_tool_span_is_transport():
    transport = span(
        2,
        name="tools/call flight.search",
        parent=1,
        mcp__method__name="tools/call",
        gen_ai__tool__name="flight.search",
    )
    assert len(calls(tool(1), transport)) == 1
    assert len(calls(tool(1, tool="other"), transport)) == 2
    known = {(TRACE, f"{1:016x}"): "flight.search"}
    assert translate(from_json(exported(transport)), tool_above=known).calls == []


@pytest.mark.parametrize(
    ("withheld", "has"),
    [
        ({"gen_ai__tool__call__result": "__REDACTED__"}, False),
        ({}, False),
        ({"gen_ai__tool__call__result": "[]"}, True),
    ],
)
def test_a_result_that_was_withheld_is_absent_and_an_empty_one_is_there(withheld, has):
    assert ("result" in one(tool(**withheld))) is has


def test_a_name_that_does_something_is_a_write():
    assert one(tool(tool="pay.capture"))["side_effect"] == "write"
    assert (
        one(tool(tool="pay.capture", toolcall__side_effect="idempotent_write"))["side_effect"]
        == "idempotent_write"
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"traceId": "0" * 32}, "trace id"),
        ({"traceId": "xyz"}, "trace id"),
        ({"spanId": ""}, "span id"),
        ({"startTimeUnixNano": "soon"}, "time"),
    ],
)
def test_a_span_without_proper_ids_or_times_is_refused_for_itself(change, reason):
    bad, fine = from_json(exported({**tool(1), **change}, tool(2)))
    assert isinstance(bad, BadSpan)
    assert reason in bad.reason
    assert fine.span_id == f"{2:016x}"


def test_ids_are_read_in_any_case_and_integers_as_text_or_number():
    (made,) = from_json(exported({**tool(1), "traceId": TRACE.upper(), "startTimeUnixNano": START}))
    assert (made.trace_id, made.start) == (TRACE, START)


@pytest.mark.parametrize(
    "body", [[], {"resourceSpans": 3}, {"resourceSpans": [{"scopeSpans": [{"spans": ["x"]}]}]}]
)
def test_what_is_no_export_is_undecodable(body):
    with pytest.raises(Undecodable):
        from_json(body)


def test_bytes_that_are_no_protobuf_are_undecodable():
    with pytest.raises(Undecodable):
        from_protobuf(b"\xff\xff\xff not protobuf")


def test_times_beyond_the_calendar_end_with_it():
    call = one({**tool(1), "startTimeUnixNano": str(2**63), "endTimeUnixNano": "0"})
    assert call["started_at"].startswith("2262")
    assert call["rev"] == 0
    assert call["duration_ms"] < 0


def test_deep_values_are_cut():
    deep = "x"
    for _ in range(100):
        deep = [deep]
    (made,) = from_json(exported({**tool(1), "attributes": [{"key": "a", "value": value(deep)}]}))
    assert made.attributes["a"]


@pytest.mark.parametrize("parents", [[1, 2], range(1, 3_000)], ids=["at itself", "a long chain"])
def test_messages_that_hang_at_themselves_or_endlessly_deep_are_one_call_all_the_same(parents):
    spoken = {"mcp__method__name": "tools/call", "gen_ai__tool__name": "pay"}
    numbers = [2] * len(parents) if len(parents) == 2 else [parent + 1 for parent in parents]
    chain = [
        span(number, name="tools/call pay", parent=parent, **spoken)
        for number, parent in zip(numbers, parents, strict=True)
    ]
    (call,) = calls(tool(1, tool="pay"), *chain)
    assert call["call_id"] == f"{TRACE}:{1:016x}"
    assert "failure" not in call


@pytest.mark.parametrize("levels", range(20, 30))
def test_deep_values_are_cut_alike_in_protobuf_and_in_json(levels):
    deep = "x"
    for _ in range(levels):
        deep = [deep]
    export = exported({**tool(1), "attributes": [{"key": "a", "value": value(deep)}]})
    assert from_protobuf(as_protobuf(export)) == from_json(export)


def test_an_operation_is_named_by_its_span_and_not_by_the_resource_of_all():
    calls = translate(from_json(exported(tool(1), tool(2), toolcall__operation__id="all"))).calls
    assert [call["call_id"] for call in calls] == [f"{TRACE}:{n:016x}" for n in (1, 2)]
