"""How a reported call is judged: the agent's word, else its attempts, else the rules; and what is kept of it."""

import orjson
import pytest

from telemetry.contract import Call
from telemetry.operations import prepare as preparing
from telemetry.operations.prepare import Knowledge, prepare
from tests.telemetry.calls import NOON, call

FAILED_TRY = {"started_at": NOON.isoformat(), "duration_ms": 5, "class": "transient", "code": "TIMEOUT"}
GOOD_TRY = {"started_at": NOON.isoformat(), "duration_ms": 5}


def ready(flags=(), **changes):
    raw = call(**changes)
    said = Call.model_validate_json(orjson.dumps(raw))
    return prepare(said, raw, agent_id=1, at=NOON, flags=set(flags), knowledge=Knowledge())


def judged(**changes):
    counted = ready(outcome=changes.pop("outcome", None), **changes).counted
    return counted.outcome, counted.failure_class, counted.code, counted.recovered_by


RECOVERY = {"by": "model", "latency_ms": 900}
CASES = {
    "nothing odd": ({}, ("succeeded", "", "", "")),
    "the agent's word": ({"failure": {"class": "hard", "code": "NO"}}, ("failed", "hard", "NO", "")),
    "some items": ({"failure": {"class": "partial"}}, ("degraded", "partial", "", "")),
    "recovered": ({"failure": {"class": "empty"}, "recovery": RECOVERY}, ("recovered", "empty", "", "model")),
    "the agent says both": (
        {"outcome": "escalated", "failure": {"class": "hard"}},
        ("escalated", "hard", "", ""),
    ),
    "its last attempt failed": (
        {"attempts": [{"n": 1, **GOOD_TRY}, {"n": 2, **FAILED_TRY}]},
        ("failed", "transient", "TIMEOUT", ""),
    ),
    "a later attempt worked": (
        {"attempts": [{"n": 1, **FAILED_TRY}, {"n": 2, **GOOD_TRY}]},
        ("recovered", "transient", "TIMEOUT", "retry"),
    ),
    "nobody named recovered it": ({"outcome": "recovered", "failure": {"class": "hard"}}, ("recovered", "hard", "", "retry")),
    "it waits": ({"outcome": "deferred"}, ("deferred", "", "", "")),
    "it was left out": ({"outcome": "skipped"}, ("skipped", "", "", "")),
    "the status says it": ({"evidence": {"http_status": 503}}, ("failed", "transient", "UNAVAILABLE", "")),
    "it asked a person and nothing failed": ({"outcome": "escalated"}, ("escalated", "", "", "")),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_a_call_is_judged_by_what_was_said_and_seen(what):
    changes, expected = CASES[what]
    assert judged(**changes) == expected


def test_an_agent_that_says_failed_is_believed_although_nothing_is_seen():
    outcome, failure_class, _, _ = judged(outcome="failed")
    assert outcome == "failed"
    assert failure_class


def test_what_was_cut_is_never_called_empty():
    seen = {"evidence": {"http_status": 200, "body": []}, "tool": "orders.search", "outcome": None}
    assert ready(**seen).counted.failure_class == "empty"
    assert ready(flags=["truncated"], **seen).counted.failure_class != "empty"


def test_a_classifier_that_breaks_loses_no_call(monkeypatch):
    def broken(evidence):
        raise TypeError("unhashable")

    monkeypatch.setattr(preparing.classification, "classify", broken)
    made = ready(outcome=None, evidence={"http_status": 200})
    assert (made.counted.failure_class, made.counted.outcome) == ("internal", "failed")
    assert orjson.loads(made.detail)["verdict"]["rule"] == "classifier/broken"


def test_secrets_and_long_texts_go_and_are_flagged():
    made = ready(
        args={"user": "ana", "password": "hunter2"},
        evidence={"headers": {"Authorization": "Bearer x", "Accept": "*/*"}},
        failure={"class": "hard", "field": "password", "received": "hunter2"},
        result={"text": "x" * 100_000},
    )
    kept = orjson.loads(made.detail)
    assert kept["args"] == {"user": "ana", "password": "[redacted]"}
    assert kept["evidence"]["headers"] == {"Authorization": "[redacted]", "Accept": "*/*"}
    assert kept["failure"]["received"] == "[redacted]"
    assert kept["flags"] == ["redacted", "truncated"]
    assert len(made.detail) < 66_000
    assert b"hunter2" not in made.detail


def test_a_null_result_is_a_result():
    assert "result" not in orjson.loads(ready(result=None).detail)  # `call` leaves out what is None
    raw = {**call(), "result": None}
    said = Call.model_validate_json(orjson.dumps(raw))
    made = prepare(said, raw, agent_id=1, at=NOON, flags=set(), knowledge=Knowledge())
    assert orjson.loads(made.detail)["result"] is None


@pytest.mark.parametrize("tool", ["flight.search", "pay", "kubectl", "error"])
@pytest.mark.parametrize("side_effect", ["read", "idempotent_write", "write"])
@pytest.mark.parametrize(
    "args", [{}, {"q": "error 500: timeout"}, "Traceback (most recent call last)", [], None]
)
def test_a_call_of_which_nothing_more_is_known_is_what_the_rules_say_of_it(tool, side_effect, args):
    raw = call(tool=tool, side_effect=side_effect, args=args, reasoning="it failed before")
    del raw["outcome"]
    said = Call.model_validate_json(orjson.dumps(raw))
    seen = preparing.evidence(said, not_found_is_empty=None, complete=True)
    assert preparing.classification.classify(seen).verdict == "success"
    assert preparing.judge(said) == ("succeeded", None, "", None)


@pytest.mark.parametrize("levels", [1, 62, 63, 64, 65, 66, 70])
def test_what_is_flagged_as_redacted_is_redacted_however_deep_it_lies(levels):
    args = {"password": "hunter2"}
    for _ in range(levels):
        args = {"a": args}
    kept = orjson.loads(ready(args=args).detail)
    assert ("redacted" in kept.get("flags", ())) is ("hunter2" not in str(kept)) is (levels <= 64)
