"""The classifier at the terminal: a line in, a line out, whatever the line holds."""

import contextlib
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


HOSTILE = {
    "no JSON": (b"{", "not valid JSON"),
    "a list": (b"[1]", "not a JSON object"),
    "a text": (b'"text"', "not a JSON object"),
    "deep nesting": (b'{"a":' * 100_000, "nested too deeply"),
    "another encoding": (b"\xff\xfe{\x00", "not valid JSON"),
}


def test_lines_that_are_no_object_are_answered_with_the_reason_and_the_rest_goes_on():
    lines = [line for line, _ in HOSTILE.values()] + [b"", json.dumps(LIMITED).encode()]
    done = subprocess.run(MANAGE, input=b"\n".join(lines), capture_output=True, check=False)
    said = [json.loads(one) for one in done.stdout.splitlines()]
    refused, last = said[:-1], said[-1]
    assert [(one["id"], one["line"]) for one in refused] == [(None, line) for line in (1, 2, 3, 4, 5)]
    reasons = [reason for _, reason in HOSTILE.values()]
    assert all(one["error"].startswith(reason) for one, reason in zip(refused, reasons, strict=True))
    assert last["class"] == "transient"
    assert done.returncode == 1
    assert done.stderr.strip() == b"CommandError: Lines that could not be read: 5."


def test_what_only_other_writers_write_is_still_read():
    said = run(
        '{"id": "nan", "outcome": {"http_status": NaN, "body": {"error": Infinity}}}\n'
        '{"id": "\\ud800", "outcome": {"http_status": 500, "body": "\\ud800"}}\n'
        f'{{"id": {10**40}, "outcome": {{"http_status": 404}}}}\n'
        '{"id": {"a": 1}, "outcome": [], "request": 5, "tool": {}}\n'
    )
    assert [line["id"] for line in said] == ["nan", "\ud800", None, None]
    assert [line["class"] for line in said] == ["transient", "transient", "hard", "success"]


def test_a_reader_that_has_read_enough_ends_it_without_a_word():
    lines = "\n".join(json.dumps(LIMITED) for _ in range(3_000)).encode()
    with subprocess.Popen(
        MANAGE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(lines)
        process.stdin.close()
        assert process.stderr.read() == b""


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        call_command("classify", str(tmp_path / "none.jsonl"))
