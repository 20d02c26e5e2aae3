"""JSON that was cut off is closed, so that what stands before the cut is read."""

import json

import pytest

from telemetry.domain.classification import classify_case
from telemetry.domain.classification.mending import mended
from telemetry.domain.classification.plain import MISSING

BODY = {
    "error": {"code": "balance_insufficient", "param": "amount", "tags": ["a", "b"], "n": 12.5, "ok": False}
}


def test_every_beginning_of_a_body_can_be_read_or_is_said_to_be_missing():
    whole = json.dumps(BODY)
    read = [mended(whole[:end]) for end in range(1, len(whole) + 1)]
    assert read[-1] == BODY
    assert all(isinstance(value, dict) for value in read if value is not MISSING)
    assert sum(value is not MISSING for value in read) > len(whole) * 0.9


@pytest.mark.parametrize("text", ["", "no json", '"a string', "x{", "}"])
def test_what_was_no_object_is_not_mended(text):
    assert mended(text) is MISSING


def test_what_stands_before_the_cut_tells_the_cause():
    cut = json.dumps(BODY)[:55]
    found = classify_case(
        {
            "id": "x",
            "tool": "payout_create",
            "side_effect": True,
            "idempotent": False,
            "outcome": {"http_status": 400, "body": cut},
        }
    )
    assert (found["class"], found["code"]) == ("hard", "INSUFFICIENT_FUNDS")


def test_an_answer_that_worked_and_breaks_off_is_no_failure_of_the_system():
    found = classify_case(
        {
            "id": "x",
            "tool": "report_get",
            "outcome": {
                "http_status": 200,
                "headers": {"content-type": "application/json"},
                "body": '{"rows": [1, 2, {"error": "x',
            },
        }
    )
    assert (found["class"], found["code"]) == ("transient", "NETWORK")
