"""The order of evidence, and what no evidence however hostile may do."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.domain.classification import Evidence, Retryable, Verdict, classify

JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(
            st.sampled_from(
                [
                    "error",
                    "errors",
                    "code",
                    "message",
                    "status",
                    "items",
                    "results",
                    "data",
                    "success",
                    "ok",
                    "field",
                    "path",
                ]
            )
            | st.text(max_size=8),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)
ANYTHING = st.builds(
    Evidence,
    tool=JSONISH,
    side_effect=st.sampled_from(["read", "write", "idempotent_write"]) | JSONISH,
    args=JSONISH,
    args_schema=JSONISH,
    http_status=st.sampled_from([None, 200, 204, 207, 400, 404, 409, 429, 500, 503]) | JSONISH,
    headers=JSONISH,
    body=JSONISH,
    exception=JSONISH,
    grpc_status=JSONISH,
    exit_code=st.none() | st.integers(-5, 260) | JSONISH,
    stderr=JSONISH,
    stdout=JSONISH,
    items=JSONISH,
    message=JSONISH,
)


@settings(max_examples=300, deadline=None)
@given(ANYTHING)
def test_no_evidence_makes_it_raise_and_every_answer_is_plain(evidence):
    found = classify(evidence)
    assert found.verdict in Verdict
    assert found.retryable in Retryable
    assert found.retry_after_s is None or 0 <= found.retry_after_s < 1e9
    assert json.dumps(found.received) is not None


def deep(levels):
    value = {}
    for _ in range(levels):
        value = {"error": value, "items": [value]}
    return value


HOSTILE = {
    "deep": deep(3_000),
    "wide": {f"k{one}": {f"j{two}": {"error": "x"} for two in range(50)} for one in range(1_000)},
    "many items": [
        {"status": "failed" if one % 3 else "ok", "error": {"message": "x"}} for one in range(30_000)
    ],
    "long text": "error: " * 1_400_000,
    "open brackets": "[" * 1_000_000,
    "blank lines": "\n" * 5_000_000,
    "surrogates": "\ud800\0" * 1_000_000,
    "tags": "<a " * 1_000_000,
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("side_effect", ["read", "write"])
def test_huge_evidence_is_cut_before_it_is_read(value, side_effect):
    for evidence in (
        Evidence(tool="t", side_effect=side_effect, http_status=200, body=value),
        Evidence(
            tool="t", side_effect=side_effect, http_status=400, body={"error": value}, args={"q": value}
        ),
        Evidence(
            tool="t", side_effect=side_effect, exception={"type": "E", "message": value, "details": value}
        ),
        Evidence(tool="t", side_effect=side_effect, exit_code=1, stderr=value, stdout=value),
    ):
        assert classify(evidence).verdict in Verdict


def verdict(**said):
    return classify(Evidence(tool="make_order", **said)).verdict


def test_a_timeout_is_an_unknown_outcome_only_for_a_write_that_may_have_been_done():
    timeout = {"exception": {"type": "ReadTimeout", "message": "read timed out"}}
    assert verdict(side_effect="write", **timeout) is Verdict.UNKNOWN_OUTCOME
    assert verdict(side_effect="idempotent_write", **timeout) is Verdict.TRANSIENT
    assert verdict(side_effect="read", **timeout) is Verdict.TRANSIENT


@pytest.mark.parametrize(
    "exception",
    [
        {"type": "ConnectionRefusedError", "message": "[Errno 111] Connection refused"},
        {"type": "gaierror", "message": "[Errno -2] Name or service not known"},
        {"type": "PoolTimeout", "message": ""},
        {"type": "ConnectTimeout", "message": "timed out"},
    ],
    ids=lambda exception: exception["type"],
)
def test_proof_that_nothing_was_sent_makes_a_write_transient(exception):
    assert verdict(side_effect="write", exception=exception) is Verdict.TRANSIENT


def test_waiting_for_a_person_is_no_failure():
    assert verdict(deferred=True, http_status=500) is Verdict.DEFERRED
    assert verdict(exception={"type": "GraphInterrupt", "message": "approve?"}) is Verdict.DEFERRED


def test_an_error_in_a_200_is_an_error():
    assert (
        verdict(side_effect="read", http_status=200, body={"ok": False, "error": "ratelimited"})
        is Verdict.TRANSIENT
    )
    assert (
        verdict(side_effect="read", http_status=200, body={"errcode": 40001, "errmsg": "invalid credential"})
        is Verdict.HARD
    )
    assert (
        verdict(side_effect="read", http_status=200, body={"errcode": 0, "errmsg": "ok", "name": "a"})
        is Verdict.SUCCESS
    )


def test_only_a_whole_result_of_a_read_is_ever_empty():
    empty = {
        "tool": "search_flights",
        "side_effect": "read",
        "http_status": 200,
        "body": {"results": [], "total": 0},
    }
    assert classify(Evidence(**empty)).verdict is Verdict.EMPTY
    assert classify(Evidence(**empty, has_body=False)).verdict is Verdict.SUCCESS
    assert classify(Evidence(**empty, complete=False)).verdict is Verdict.SUCCESS
    assert (
        classify(Evidence(**{**empty, "tool": "delete_flights", "side_effect": "write"})).verdict
        is Verdict.SUCCESS
    )


def test_items_that_the_agent_reports_are_counted():
    items = [
        {"key": "a", "status": "succeeded"},
        {"key": "b", "status": "failed"},
        {"key": "c", "status": "failed"},
    ]
    found = classify(Evidence(tool="send", side_effect="write", items=items))
    assert (found.verdict, found.ok_count, found.failed_count) == (Verdict.PARTIAL, 1, 2)


def test_an_argument_that_the_tool_does_not_have_is_named():
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "additionalProperties": False}
    found = classify(
        Evidence(
            tool="weather",
            args={"city": "Bonn", "planet": "earth"},
            args_schema=schema,
            http_status=400,
            body={"error": "unexpected parameter planet"},
        )
    )
    assert (found.verdict, found.code, found.field, found.received) == (
        Verdict.INVALID_ARGS,
        "UNKNOWN_FIELD",
        "planet",
        "earth",
    )


def test_a_404_of_a_look_up_follows_the_tools_own_rule():
    miss = {"tool": "get_user", "side_effect": "read", "http_status": 404}
    assert classify(Evidence(**miss)).verdict is Verdict.HARD
    assert classify(Evidence(**miss, not_found_is_empty=True)).verdict is Verdict.EMPTY


@pytest.mark.parametrize(
    "body", [["OK", None], [None, None], [[], "ok"], {"a": 10**5_000}, {"status": {"code": True}}]
)
def test_answers_of_no_known_shape_are_read_all_the_same(body):
    found = classify(Evidence(tool="search", args={"limit": 10**5_000}, http_status=200, body=body))
    assert found.verdict in {Verdict.SUCCESS, Verdict.EMPTY}
