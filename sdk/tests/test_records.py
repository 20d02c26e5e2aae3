import json
import sys
import types
from datetime import UTC, datetime, timedelta

import pytest

import switchboard
from switchboard import wire


def reported(console, call, **settings):
    console.client(**settings).report(call)
    assert len(console.calls) == 1
    return console.calls[0]


def test_what_is_left_out_is_filled_in(console):
    call = reported(console, {"tool": "search"}, agent_version="2.1", session_id="s-1")
    assert call.pop("call_id")
    assert len(call.pop("trace_id")) == 32
    assert call == {
        "tool": "search", "side_effect": "write", "duration_ms": 0.0, "instance": "test", "agent_version": "2.1",
        "session_id": "s-1", "started_at": "2030-01-01T09:00:00Z",
    }  # fmt: skip


def test_what_is_said_is_kept(console):
    said = {
        "tool": "search", "call_id": "c", "trace_id": "t", "side_effect": "read", "duration_ms": 12.5, "instance": "i",
        "agent_version": "9", "session_id": "mine", "started_at": "2029-01-01T00:00:00+00:00", "args": {"a": None},
    }  # fmt: skip
    assert reported(console, {**said, "result": None}, agent_version="2.1", session_id="s-1") == said


def test_a_typed_call_is_sent_in_the_words_of_the_wire(console):
    failure = wire.Failure(class_="transient", code="TIMEOUT")
    at = datetime(2030, 1, 1, tzinfo=UTC)
    attempt = wire.Attempt(n=1, started_at=at, duration_ms=3.0, class_="transient")
    call = reported(
        console, wire.Call(tool="t", call_id="c", failure=failure, attempts=[attempt], started_at=at)
    )
    assert call["failure"] == {"class": "transient", "code": "TIMEOUT"}
    assert call["attempts"][0]["class"] == "transient"
    assert call["started_at"] == at.isoformat()


def test_a_misspelt_field_of_a_typed_call_is_an_error_where_it_is_written():
    with pytest.raises(ValueError, match="durationms"):
        wire.Call(tool="t", durationms=1)


def test_a_naive_time_is_the_machines_own(console):
    naive = datetime(2030, 1, 1, 12, 0)  # noqa: DTZ001  # that is what is tried
    seen = datetime.fromisoformat(reported(console, {"tool": "t", "started_at": naive})["started_at"])
    assert seen.utcoffset() is not None
    assert seen == naive.astimezone()


def test_calls_inside_a_trace_share_its_id(console):
    client = console.client(session_id="from-the-client")
    with switchboard.trace(session_id="s-9") as trace_id:
        client.report({"tool": "one"})
        client.report({"tool": "two", "trace_id": "its-own", "session_id": "its-own"})
        case = client.escalate(title="T", goal="G", trigger="other")
    client.report({"tool": "three"})
    one, two, three = console.calls
    assert (one["trace_id"], one["session_id"]) == (trace_id, "s-9")
    assert (two["trace_id"], two["session_id"]) == ("its-own", "its-own")
    assert (three["trace_id"] != trace_id, three["session_id"]) == (True, "from-the-client")
    package = console.book.find(case).package
    assert (package["trace_id"], package["session_id"]) == (trace_id, "s-9")


class Span:
    def __init__(self, trace_id):
        self.trace_id, self.is_valid = trace_id, bool(trace_id)

    def get_span_context(self):
        return self


def test_an_active_opentelemetry_span_gives_its_trace_id(console, monkeypatch):
    api = types.SimpleNamespace(get_current_span=lambda: Span(0x4BF92F3577B34DA6A3CE929D0E0E4736))
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", api)
    client = console.client()
    client.report({"tool": "one"})
    with switchboard.trace("mine"):
        client.report({"tool": "two"})
    api.get_current_span = lambda: Span(0)
    client.report({"tool": "three"})
    api.get_current_span = lambda: None
    client.report({"tool": "four"})
    assert [call["trace_id"] for call in console.calls[:2]] == ["4bf92f3577b34da6a3ce929d0e0e4736", "mine"]
    assert [len(call["trace_id"]) for call in console.calls[2:]] == [32, 32]


def test_secrets_are_gone_before_anything_is_queued_and_it_says_so(console):
    call = reported(
        console,
        {
            "tool": "pay",
            "args": {"card": "4111111111111111", "amount": 3},
            "evidence": {"http_status": 401, "headers": {"authorization": "Bearer x", "date": "d"}},
            "failure": {"field": "password", "received": "hunter2"},
            "attributes": {"own": 1},
        },
    )
    assert call["args"] == {"card": "[redacted]", "amount": 3}
    assert call["evidence"]["headers"] == {"authorization": "[redacted]", "date": "d"}
    assert call["failure"]["received"] == "[redacted]"
    assert call["attributes"] == {"own": 1, "sdk.flags": {"args": ["redacted"], "evidence": ["redacted"]}}


def test_a_result_without_end_is_cut_and_flagged(console):
    call = reported(console, {"tool": "t", "result": ["x" * 1000] * 1000})
    assert len(json.dumps(call)) < 25_000
    assert call["attributes"]["sdk.flags"] == {"result": ["truncated"]}


def test_a_generator_is_not_run_dry(console):
    rows = iter([1, 2, 3])
    reported(console, {"tool": "t", "result": {"rows": rows}})
    assert list(rows) == [1, 2, 3]


def test_what_the_agent_changes_afterwards_does_not_change_the_report(console):
    args = {"seats": ["12A"]}
    call = {"tool": "t", "args": args}
    console.client().report(call)
    args["seats"].append("12B")
    assert console.calls[0]["args"] == {"seats": ["12A"]}
    assert call == {"tool": "t", "args": args}


@pytest.mark.parametrize(
    "value", ["half \ud800 pair", float("nan"), {"k\ud800": 1}, 2**80, b"\xff", {3: {(1, 2): timedelta(1)}}]
)
def test_hostile_values_are_reported_all_the_same(console, value):
    call = reported(console, {"tool": "t", "args": {"v": value}, "result": value})
    json.dumps(call, allow_nan=False).encode()
