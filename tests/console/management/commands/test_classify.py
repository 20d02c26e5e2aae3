"""The classifier at the terminal: a line in, a line out, whatever the line holds."""

import json
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from tests.structure.test_budgets import ROOT

MANAGE = [sys.executable, str(ROOT / "manage.py"), "classify"]
LIMITED = {
    "id": "x-1",
    "tool": "flights.search",
    "side_effect": False,
    "idempotent": True,
    "request": {"args": {}},
    "outcome": {"http_status": 429, "headers": {"Retry-After": "7"}, "body": {"error": "慢一点"}},
}


def run(text):
    done = subprocess.run(MANAGE, input=text.encode(), capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_line_is_answered_in_order_with_its_id_and_its_rule():
    said = run("\n".join(json.dumps({**LIMITED, "id": name}) for name in ("a", "b")) + "\n\n")
    assert [line["id"] for line in said] == ["a", "b"]
    assert set(said[0]) == {
        "id",
        "class",
        "code",
        "retryable",
        "retry_after_s",
        "field",
        "constraint",
        "received",
        "rule",
    }
    assert (said[0]["class"], said[0]["code"], said[0]["retry_after_s"]) == ("transient", "RATE_LIMITED", 7)


@pytest.mark.parametrize("line", ["{", "[1]", '"text"'])
def test_a_line_that_is_no_object_is_named(tmp_path, line):
    file = tmp_path / "cases.jsonl"
    file.write_text(f"\n{line}\n")
    with pytest.raises(CommandError, match="Line 1 is not"):
        call_command("classify", str(file))
