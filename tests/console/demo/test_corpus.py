import json

import httpx2
import pytest

from console.demo import corpus
from telemetry import contract
from tests.factories import NOON

WRITE_TIMED_OUT = {
    "id": "mcp-05", "source_system": "MCP", "tool": "create_invoice", "side_effect": True, "idempotent": False,
    "request": {"args": {"customer": "C-88", "amount": 120.0}, "json_schema": {"type": "object"}},
    "outcome": {"body": {"error": {"code": -32001}}, "duration_ms": 60004, "timeout_ms": 60000},
    "expected": {"class": "UNKNOWN_OUTCOME"}, "why": "label", "evidence": "label", "tags": ["label"],
}  # fmt: skip
CRASHED = {
    "id": "cli-01", "source_system": "CLI", "tool": "bash", "side_effect": False, "idempotent": True,
    "request": {"args": {"command": "./split"}}, "outcome": {"exit_code": 101, "body": "", "stderr": "panicked"},
    "expected": {"class": "INTERNAL"}, "why": "label", "evidence": "label", "tags": ["label"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("side_effect", "idempotent", "word"),
    [(False, True, "read"), (False, False, "read"), (True, True, "idempotent_write"), (True, False, "write")],
)
def test_two_flags_become_one_word(side_effect, idempotent, word):
    assert corpus.effect(side_effect=side_effect, idempotent=idempotent) == word


@pytest.mark.parametrize("case", [WRITE_TIMED_OUT, CRASHED])
def test_a_case_becomes_a_call_of_its_tool_that_the_console_reads(case):
    call = corpus.call(case, at=NOON)
    read = contract.Call.model_validate_json(json.dumps(call))
    assert (read.tool, read.args) == (case["tool"], case["request"]["args"])
    assert "label" not in json.dumps(call)
    assert case["id"] not in json.dumps(call)


def test_what_was_seen_comes_along_raw():
    call = corpus.call(CRASHED, at=NOON)
    assert call["evidence"] == {"exit_code": 101, "body": "", "stderr": "panicked"}
    assert corpus.call(WRITE_TIMED_OUT, at=NOON)["timeout_ms"] == 60000


def test_the_same_line_has_the_same_call_id_at_every_import():
    later = NOON.replace(hour=23)
    assert corpus.call(CRASHED, at=NOON)["call_id"] == corpus.call(CRASHED, at=later)["call_id"]
    assert corpus.call(CRASHED, at=NOON)["call_id"] != corpus.call(WRITE_TIMED_OUT, at=NOON)["call_id"]


def test_a_line_that_is_no_case_is_named(tmp_path):
    file = tmp_path / "failures.jsonl"
    file.write_text(json.dumps(CRASHED) + "\n\n{\n")
    with pytest.raises(ValueError, match=r"Line 3 of failures\.jsonl"):
        corpus.read(file, at=NOON)


def post(calls, answers):
    seen = []

    def console(request):
        seen.append(json.loads(request.content)["calls"])
        return answers.pop(0)

    with httpx2.Client(transport=httpx2.MockTransport(console)) as client:
        return corpus.post(calls, url="http://console/", key="sb_key", client=client), seen


def test_calls_are_posted_in_batches_and_every_answer_is_counted():
    calls = [corpus.call({**CRASHED, "id": str(n)}, at=NOON) for n in range(150)]
    refusal = {"index": 3, "code": "MALFORMED", "detail": "args"}
    answers = [
        httpx2.Response(200, json={"accepted": 90, "duplicate": 10, "corrected": 0, "rejected": []}),
        httpx2.Response(207, json={"accepted": 49, "duplicate": 0, "corrected": 0, "rejected": [refusal]}),
    ]
    tally, seen = post(calls, answers)
    assert [len(batch) for batch in seen] == [100, 50]
    assert (tally.accepted, tally.duplicate) == (139, 10)
    assert str(tally).splitlines() == [
        "150 calls: 139 accepted, 10 duplicate, 1 rejected.",
        f"call 103: {json.dumps(refusal)}",
    ]


def test_a_console_that_refuses_is_quoted():
    with pytest.raises(httpx2.HTTPError, match="401: no such key"):
        post([corpus.call(CRASHED, at=NOON)], [httpx2.Response(401, text="no such key")])
